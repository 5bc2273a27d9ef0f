// One Markdown file as a note: front matter, title, tags, dates and text (the import format of the docs). Pure. An error in the
// front matter becomes a warning and the text is preserved: an import never loses words.
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { LIMITS } from '#shared/constants.ts';
import { isStorableText, webUrl } from '#shared/define/fields.ts';

/** A file of an archive, its name with forward slashes. */
export interface MarkdownFile {
  path: string;
  text: string;
  /** Time of the last change in the archive, ISO 8601. */
  modified: string;
}

export interface MarkdownNote {
  title: string;
  notes: string;
  tags: string[];
  url: string | null;
  description: string | null;
  created: string;
  updated: string;
  warnings: string[];
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;
/** YAML longer than this is text, not front matter. */
const FRONT_MATTER_MAX = 16_384;
/** Words may follow. */
const DAY = /^\d{4}-\d\d-\d\d(?![\p{L}\d])/u;
const HEADING = /^#\s+(.+?)\s*#*\s*$/;

const dateLike = z.union([z.date(), z.string()]);
const list = z.union([z.string(), z.array(z.union([z.string(), z.number()]))]);
const frontMatter = z.looseObject({
  title: z.union([z.string(), z.number()]).optional(),
  description: z.string().nullish(),
  url: z.string().nullish(),
  source: z.string().nullish(),
  tags: list.nullish(),
  keywords: list.nullish(),
  date: dateLike.nullish(),
  created: dateLike.nullish(),
  updated: dateLike.nullish(),
  modified: dateLike.nullish(),
});
type FrontMatter = z.infer<typeof frontMatter>;

/** Reads a file; `foldersAsTags` adds each folder of its path as a tag. */
export function readMarkdownNote(file: MarkdownFile, foldersAsTags: boolean): MarkdownNote {
  const warnings: string[] = [];
  const text = storable(file.text, warnings);
  const { meta, body } = splitFrontMatter(text, warnings);
  const { heading, rest } = splitHeading(body);
  const title = (meta.title === undefined ? heading : String(meta.title)) ?? nameOf(file.path);
  // The heading is only removed when it equals the title.
  const notes = heading !== null && heading === title ? rest : body.replace(/^\s*\n/, '');
  const given = meta.created ?? meta.date;
  const created = (given && dateOf(given, warnings)) ?? dayOf(file.path) ?? file.modified;
  const changed = meta.updated ?? meta.modified;
  const updated = changed ? (dateOf(changed, warnings) ?? created) : created;
  return {
    title: cut(storable(title, warnings).trim() || nameOf(file.path), LIMITS.title, 'title', warnings),
    notes,
    tags: tagsOf(file.path, meta, foldersAsTags).map((tag) => storable(tag, warnings)),
    url: urlOf(meta, warnings),
    description: meta.description
      ? cut(storable(meta.description, warnings), LIMITS.description, 'description', warnings)
      : null,
    created,
    updated: updated < created ? created : updated,
    warnings,
  };
}

function storable(text: string, warnings: string[]): string {
  if (isStorableText(text)) return text;
  const remark = 'Characters that cannot be stored were replaced';
  if (!warnings.includes(remark)) warnings.push(remark);
  return text.replaceAll('\u0000', '\uFFFD').toWellFormed();
}

function splitFrontMatter(text: string, warnings: string[]): { meta: FrontMatter; body: string } {
  const match = FRONT_MATTER.exec(text);
  const yaml = match?.[1];
  if (!match || yaml === undefined) return { meta: {}, body: text.replace(/^\uFEFF/, '') };
  if (yaml.length > FRONT_MATTER_MAX) return { meta: {}, body: text };
  try {
    const document = parseDocument(yaml, { prettyErrors: false, logLevel: 'silent' });
    if (document.errors.length > 0) {
      warnings.push('The front matter could not be read and was kept as text');
      return { meta: {}, body: text };
    }
    const parsed = frontMatter.safeParse(document.toJS({ maxAliasCount: 20 }) ?? {});
    if (parsed.success) return { meta: parsed.data, body: text.slice(match[0].length) };
  } catch (error) {
    // Too many aliases, a document that unfolds without end, or lists nested deeper than the stack.
    warnings.push(error instanceof Error ? error.message : 'The front matter could not be unfolded');
  }
  warnings.push('The front matter has fields of the wrong kind and was kept as text');
  return { meta: {}, body: text };
}

function splitHeading(body: string): { heading: string | null; rest: string } {
  const start = body.search(/\S/);
  if (start < 0) return { heading: null, rest: body };
  const end = body.indexOf('\n', start);
  const line = end < 0 ? body.slice(start) : body.slice(start, end);
  const heading = HEADING.exec(line.trimEnd())?.[1] ?? null;
  if (heading === null) return { heading: null, rest: body };
  return { heading, rest: end < 0 ? '' : body.slice(end + 1).replace(/^(?:[ \t]*\r?\n)+/, '') };
}

/** The name of the file as words; a day that it begins with stays as it is written. */
function nameOf(path: string): string {
  const name = baseName(path);
  const [day = ''] = dayOf(path) === null ? [] : (DAY.exec(name) ?? []);
  return `${day}${name.slice(day.length).replace(/[-_]+/g, ' ')}`.trim() || 'Untitled';
}

const baseName = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');

/** The day that a file is named after, for example of a daily note. */
function dayOf(path: string): string | null {
  const [day] = DAY.exec(baseName(path)) ?? [];
  // A day beyond the end of its month becomes another one.
  const time = day === undefined ? undefined : dateOf(day, []);
  return time?.slice(0, 10) === day ? (time ?? null) : null;
}

function tagsOf(path: string, meta: FrontMatter, foldersAsTags: boolean): string[] {
  const given = [meta.tags, meta.keywords].flatMap((value) => {
    if (value === null || value === undefined) return [];
    return typeof value === 'string' ? value.split(/[,;]/) : value.map(String);
  });
  const folders = foldersAsTags ? path.split('/').slice(0, -1) : [];
  return cleanTags([...folders, ...given]);
}

/** Words as tags: short, in lower case, each once, as many as a memory may have. */
export function cleanTags(words: readonly string[]): string[] {
  const cleaned = words.map((tag) =>
    tag.replace(/^#/, '').replaceAll(',', ' ').trim().toLowerCase().slice(0, LIMITS.tag).trim(),
  );
  return [...new Set(cleaned.filter((tag) => tag !== ''))].slice(0, LIMITS.tagCount);
}

function urlOf(meta: FrontMatter, warnings: string[]): string | null {
  const address = meta.url ?? meta.source ?? null;
  if (address === null || address === '') return null;
  if (webUrl.safeParse(address).success) return address;
  warnings.push('The address in the front matter is no web address and was left out');
  return null;
}

function dateOf(value: Date | string, warnings: string[]): string | null {
  const time = value instanceof Date ? value : new Date(value);
  const year = time.getUTCFullYear();
  if (Number.isNaN(time.getTime()) || year < 1970 || year > 2200) {
    warnings.push(
      `The date "${String(value).slice(0, 40).replaceAll('\u0000', '\uFFFD').toWellFormed()}" could not be read`,
    );
    return null;
  }
  return time.toISOString();
}

/** Cuts a text that is too long and adds a note. */
export function cut(text: string, max: number, field: string, warnings: string[]): string {
  if (text.length <= max) return text;
  warnings.push(`The ${field} was longer than ${max} characters and was cut; the text is complete`);
  return `${text.slice(0, max - 1).toWellFormed()}…`;
}

/** Splits text that is longer than a note may be, at headings or paragraphs; the parts together are the whole. */
export function splitLongNotes(notes: string, max: number = LIMITS.notes): string[] {
  const parts: string[] = [];
  let rest = notes;
  while (rest.length > max) {
    const window = rest.slice(0, max);
    const heading = window.lastIndexOf('\n#');
    const paragraph = window.lastIndexOf('\n\n');
    const line = window.lastIndexOf('\n');
    const at = [heading, paragraph, line].find((index) => index > max / 2) ?? max - 1;
    const safe = isStorableText(rest.slice(0, at + 1)) ? at + 1 : at;
    parts.push(rest.slice(0, safe));
    rest = rest.slice(safe);
  }
  parts.push(rest);
  return parts;
}

// Pocket: the zip of CSV files of its last years, with highlights beside them, or the HTML page of before.
import { Parser } from 'htmlparser2';
import { z } from 'zod';
import { urlKey } from '#shared/capture/url-key.ts';
import { itemPath, linkItem, timeOf, type Highlight, type ImportFormat, type ItemSource } from './format.ts';
import { readTable } from './table.ts';
import { jsonOf, textOf, type Upload, type UploadFile } from './upload.ts';

interface Saved {
  url: string;
  title: string;
  added: string;
  tags: readonly string[];
  archived: boolean;
}

const ANNOTATIONS = /(?:^|\/)annotations\/part_\d+\.json$/;
const annotations = z.array(
  z.object({
    url: z.string(),
    highlights: z.array(z.object({ quote: z.string() })),
  }),
);

async function readRows(file: UploadFile): Promise<Saved[]> {
  const rows = await readTable(file);
  return rows.map((row) => ({
    url: row('url'),
    title: row('title'),
    added: row('time_added'),
    tags: row('tags').split('|'),
    archived: row('status') === 'archive',
  }));
}

/** Two lists under the headings “Unread” and “Read Archive”. */
async function readPage(file: UploadFile): Promise<Saved[]> {
  const { text: page } = await textOf(file);
  const found: Saved[] = [];
  let heading: string | undefined;
  let archived = false;
  let link: Saved | undefined;
  const parser = new Parser({
    onopentag(name, { href: url = '', time_added: added = '', tags = '' }) {
      if (name === 'h1') heading = '';
      if (name !== 'a') return;
      link = { url, title: '', added, tags: tags.split(','), archived };
      found.push(link);
    },
    ontext(text) {
      if (heading !== undefined) heading += text;
      else if (link) link.title += text;
    },
    onclosetag(name) {
      if (name === 'a') link = undefined;
      if (name !== 'h1') return;
      archived = /archive/i.test(heading ?? '');
      heading = undefined;
    },
  });
  parser.write(page);
  parser.end();
  return found;
}

async function highlightsOf({ files }: Upload): Promise<ReadonlyMap<string, Highlight[]>> {
  const byPage = new Map<string, Highlight[]>();
  for (const file of files.filter(({ path }) => ANNOTATIONS.test(path))) {
    const parsed = annotations.safeParse(await jsonOf(file));
    for (const { url, highlights } of parsed.data ?? []) {
      const key = urlKey(url) ?? url;
      byPage.set(key, [...(byPage.get(key) ?? []), ...highlights.map(({ quote }) => ({ text: quote }))]);
    }
  }
  return byPage;
}

export const pocket: ImportFormat = {
  id: 'pocket',
  async sources(upload, files) {
    const highlights = await highlightsOf(upload);
    const read = (file: UploadFile) => (/\.html?$/i.test(file.path) ? readPage(file) : readRows(file));
    const saved = (await Promise.all(files.map(read))).flat();
    return saved.map(({ url, title, added, tags, archived }): ItemSource => ({
      path: itemPath(title || url),
      read: () =>
        linkItem(url, {
          keyed: [],
          // Pocket repeats the address where a page has no title.
          title: title.trim() === url ? null : title.trim() || null,
          text: null,
          highlights: highlights.get(urlKey(url) ?? url) ?? [],
          tags,
          folders: [],
          created: timeOf(added),
          archived,
        }),
    }));
  },
};

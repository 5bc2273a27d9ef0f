/**
 * Parses an e-mail: title, text as Markdown, the link that it consists of, and attachments. Runs in a process with
 * limits, because anyone can send one. Loads nothing.
 */
import { createHash } from 'node:crypto';
import { parseHTML } from 'linkedom';
import { simpleParser, type Attachment, type ParsedMail } from 'mailparser';
import { fileKind, FILE_KINDS, isFileKind } from '#shared/capture/file-kinds.ts';
import { LIMITS } from '#shared/constants.ts';
import { plainFileName, webUrl } from '#shared/define/fields.ts';
import { storableText } from '../../db/storable-text.ts';
import { markdownOf } from '../imports/html-text.ts';
import { line, readPage, wordCount } from '../page-text.ts';
import { UnreadableFile } from '../unreadable-file.ts';
import { MAIL_LIMITS } from './mail-limits.ts';

export interface MailFile {
  filename: string;
  mediaType: string;
  bytes: Uint8Array;
}

export interface ReadMail {
  /** The same for the same mail, however often it is sent. */
  key: string;
  title: string | null;
  /** The mail is only this link. */
  url: string | null;
  /** Markdown. */
  notes: string | null;
  files: MailFile[];
}

export type MailReading = { read: ReadMail } | { refused: string };

/** The page extractors want an address; links of a mail have no base. */
const BASE = 'https://mail.invalid/';
/** Minimum share of the words after extraction; it is made for pages and may remove too much of a mail. */
const KEPT_SHARE = 0.6;
/** Parts that prove the sender of a mail, without content. */
const PROOFS = /^application\/(?:pgp-signature|(?:x-)?pkcs7-signature)$/i;
/** Signature separator. @see https://www.rfc-editor.org/rfc/rfc3676#section-4.3 */
const SIGNATURE = /^-- \n[\s\S]*$/m;

/** Reads a mail. @throws UnreadableFile with the reason for the sender */
export async function readMail(raw: Uint8Array): Promise<ReadMail> {
  const mail = await simpleParser(Buffer.from(raw), {
    skipHtmlToText: true,
    skipTextToHtml: true,
    skipTextLinks: true,
    skipImageLinks: true,
    keepCidLinks: true,
    checksumAlgo: false,
  });
  const attachments = mail.attachments.filter(({ contentType }) => !PROOFS.test(contentType));
  if (attachments.length > MAIL_LIMITS.attachments)
    throw new UnreadableFile(`A mail may have ${MAIL_LIMITS.attachments} attachments at most`);
  const subject = line(mail.subject, LIMITS.title);
  const plain = storable(mail.text ?? '');
  const html = typeof mail.html === 'string' ? shownHtml(storable(mail.html)) : undefined;
  const words = (plain || (html?.words ?? '')).replace(SIGNATURE, '').trim();
  const url =
    attachments.length > 0 ? null : (linkOf(words) ?? (words === '' ? linkOf(subject ?? '') : null));
  const notes = url === null ? await notesOf(plain, html) : null;
  if (notes !== null && notes.length > LIMITS.notes)
    throw new UnreadableFile(`Its text is longer than ${LIMITS.notes} characters`);
  if (subject === null && url === null && notes === null && attachments.length === 0)
    throw new UnreadableFile('There is nothing in this mail to save');
  return {
    key: keyOf(mail, attachments),
    title: subject === url ? null : subject,
    url,
    notes,
    files: attachments.map(fileOf),
  };
}

/** With LF line breaks, and no character that the database cannot store. */
function storable(text: string): string {
  return storableText(text.replaceAll('\r\n', '\n')).trim();
}

/** The address that the words consist of. */
function linkOf(words: string): string | null {
  const bare = words.replace(/^<([^<>]*)>$/, '$1');
  if (!/^https?:\/\/\S+$/i.test(bare)) return null;
  return webUrl.safeParse(bare).data ?? null;
}

interface ShownHtml {
  html: string;
  words: string;
}

/** The HTML without decorative pictures, tracking pixels, and pictures in attachments. */
function shownHtml(html: string): ShownHtml {
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  for (const picture of document.querySelectorAll('img')) {
    const isElsewhere = /^https?:/i.test(picture.getAttribute('src') ?? '');
    if (!isElsewhere || (picture.getAttribute('alt') ?? '').trim() === '') picture.remove();
  }
  for (const hidden of document.querySelectorAll('script, style, template')) hidden.remove();
  return { html: document.toString(), words: (document.body?.textContent ?? '').trim() };
}

async function notesOf(plain: string, shown: ShownHtml | undefined): Promise<string | null> {
  if (shown === undefined || shown.words === '') return plain === '' ? null : plain;
  const body = new TextEncoder().encode(shown.html);
  const { text } = await readPage({ url: BASE, mediaType: 'text/html', charset: 'utf-8', body });
  const isWhole = text !== null && wordCount(text) >= KEPT_SHARE * wordCount(shown.words);
  const notes = isWhole ? text : storable(markdownOf(shown.html));
  return notes === '' ? null : notes;
}

function fileOf({ filename, contentType, content }: Attachment): MailFile {
  // Some programs write the whole path.
  const name = (filename ?? '').replace(/^.*[/\\]/s, '').trim();
  return {
    filename: plainFileName(clippedName(name === '' ? `attachment${extensionOf(contentType)}` : name)),
    mediaType: contentType,
    bytes: content,
  };
}

/** At most what a file name may have, with its extension. */
function clippedName(name: string): string {
  const extension = /\.[^.]{1,10}$/.exec(name)?.[0] ?? '';
  return name.length <= LIMITS.filename
    ? name
    : `${name.slice(0, LIMITS.filename - extension.length - 1).toWellFormed()}${extension}`;
}

/** The extension that a part without a name would have. */
function extensionOf(mediaType: string): string {
  const kind = Object.keys(FILE_KINDS)
    .filter(isFileKind)
    .find((each) => fileKind(each).mediaType === mediaType);
  return kind === undefined ? '' : `.${FILE_KINDS[kind].extensions[0]}`;
}

/** By its Message-ID; a mail without one is identified by its content. */
function keyOf(mail: ParsedMail, attachments: readonly Attachment[]): string {
  const hash = createHash('sha256');
  const messageId = (mail.messageId ?? '').trim();
  if (messageId !== '') return hash.update(`id ${messageId}`).digest('base64url');
  const parts = [
    mail.subject ?? '',
    mail.from?.text ?? '',
    mail.headerLines.find(({ key }) => key === 'date')?.line ?? '',
    mail.text ?? '',
    mail.html || '',
  ];
  hash.update(JSON.stringify(parts));
  for (const { filename, content } of attachments) {
    hash.update(JSON.stringify([filename ?? '', content.length]));
    hash.update(content);
  }
  return hash.digest('base64url');
}

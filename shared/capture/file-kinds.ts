// The kinds of files that can be saved: extensions, media type, first bytes, and how the app shows them. A file must have both
// the extension and the first bytes of its kind; its content is checked when its text is extracted.

interface FileKindRow {
  label: string;
  extensions: readonly string[];
  mediaType: string;
  /** Latin-1 text at an offset of the file; none for text files. */
  signatures: readonly { at: number; text: string }[];
  /** Shown in the app; other files are only downloaded. */
  view?: 'image' | 'pdf' | 'audio';
}

const ZIP = [{ at: 0, text: 'PK\u0003\u0004' }];

export const FILE_KINDS = {
  pdf: {
    label: 'PDF',
    extensions: ['pdf'],
    mediaType: 'application/pdf',
    signatures: [{ at: 0, text: '%PDF-' }],
    view: 'pdf',
  },
  docx: {
    label: 'Word document',
    extensions: ['docx'],
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    signatures: ZIP,
  },
  pptx: {
    label: 'PowerPoint presentation',
    extensions: ['pptx'],
    mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    signatures: ZIP,
  },
  xlsx: {
    label: 'Excel workbook',
    extensions: ['xlsx'],
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    signatures: ZIP,
  },
  xls: {
    label: 'Excel 97 workbook',
    extensions: ['xls'],
    mediaType: 'application/vnd.ms-excel',
    signatures: [{ at: 0, text: '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1' }],
  },
  ods: {
    label: 'OpenDocument spreadsheet',
    extensions: ['ods'],
    mediaType: 'application/vnd.oasis.opendocument.spreadsheet',
    signatures: ZIP,
  },
  odt: {
    label: 'OpenDocument text',
    extensions: ['odt'],
    mediaType: 'application/vnd.oasis.opendocument.text',
    signatures: ZIP,
  },
  epub: {
    label: 'EPUB book',
    extensions: ['epub'],
    mediaType: 'application/epub+zip',
    signatures: ZIP,
  },
  html: {
    label: 'Web page',
    extensions: ['html', 'htm', 'xhtml'],
    mediaType: 'text/html',
    signatures: [],
  },
  markdown: {
    label: 'Markdown',
    extensions: ['md', 'markdown', 'mdown'],
    mediaType: 'text/markdown',
    signatures: [],
  },
  text: {
    label: 'Text',
    extensions: ['txt', 'text'],
    mediaType: 'text/plain',
    signatures: [],
  },
  csv: {
    label: 'CSV table',
    extensions: ['csv', 'tsv'],
    mediaType: 'text/csv',
    signatures: [],
  },
  png: {
    label: 'PNG image',
    extensions: ['png'],
    mediaType: 'image/png',
    signatures: [{ at: 0, text: '\u0089PNG\r\n\u001a\n' }],
    view: 'image',
  },
  jpeg: {
    label: 'JPEG image',
    extensions: ['jpg', 'jpeg'],
    mediaType: 'image/jpeg',
    signatures: [{ at: 0, text: '\u00ff\u00d8\u00ff' }],
    view: 'image',
  },
  gif: {
    label: 'GIF image',
    extensions: ['gif'],
    mediaType: 'image/gif',
    signatures: [
      { at: 0, text: 'GIF87a' },
      { at: 0, text: 'GIF89a' },
    ],
    view: 'image',
  },
  webp: {
    label: 'WebP image',
    extensions: ['webp'],
    mediaType: 'image/webp',
    signatures: [{ at: 8, text: 'WEBP' }],
    view: 'image',
  },
  avif: {
    label: 'AVIF image',
    extensions: ['avif'],
    mediaType: 'image/avif',
    signatures: [{ at: 4, text: 'ftypavif' }],
    view: 'image',
  },
  mp3: {
    label: 'MP3 audio',
    extensions: ['mp3'],
    mediaType: 'audio/mpeg',
    // With a tag, or beginning with a frame of MPEG 1 or 2.
    signatures: ['ID3', '\u00ff\u00fb', '\u00ff\u00fa', '\u00ff\u00f3', '\u00ff\u00f2'].map((text) => ({
      at: 0,
      text,
    })),
    view: 'audio',
  },
  m4a: {
    label: 'MPEG-4 audio',
    extensions: ['m4a'],
    mediaType: 'audio/mp4',
    signatures: [{ at: 4, text: 'ftyp' }],
    view: 'audio',
  },
  ogg: {
    label: 'Ogg audio',
    extensions: ['ogg', 'oga', 'opus'],
    mediaType: 'audio/ogg',
    signatures: [{ at: 0, text: 'OggS' }],
    view: 'audio',
  },
  wav: {
    label: 'WAV audio',
    extensions: ['wav'],
    mediaType: 'audio/wav',
    signatures: [{ at: 8, text: 'WAVE' }],
    view: 'audio',
  },
  flac: {
    label: 'FLAC audio',
    extensions: ['flac'],
    mediaType: 'audio/flac',
    signatures: [{ at: 0, text: 'fLaC' }],
    view: 'audio',
  },
} as const satisfies Record<string, FileKindRow>;

export type FileKind = keyof typeof FILE_KINDS;

/** Bytes from the start of a file that fileKindOf needs. */
export const FILE_HEAD_BYTES = 16;

const KINDS = Object.keys(FILE_KINDS).filter(isFileKind);
const BY_EXTENSION: ReadonlyMap<string, FileKind> = new Map(
  KINDS.flatMap((kind) => FILE_KINDS[kind].extensions.map((extension) => [extension, kind] as const)),
);

/** The kind of any file by its media type. */
export function kindOfMediaType(mediaType: string): FileKind | undefined {
  return KINDS.find((kind) => FILE_KINDS[kind].mediaType === mediaType);
}

/** The kind of a document behind a link, by its media type; undefined for pages, pictures and sound. */
export function documentKindOf(mediaType: string): FileKind | undefined {
  const kind = kindOfMediaType(mediaType);
  if (kind === undefined) return undefined;
  const { signatures, view } = fileKind(kind);
  return signatures.length > 0 && (view === undefined || view === 'pdf') ? kind : undefined;
}

/** The kind of a picture by its media type; undefined for anything else. */
export function pictureKindOf(mediaType: string): FileKind | undefined {
  const kind = kindOfMediaType(mediaType);
  return kind !== undefined && fileKind(kind).view === 'image' ? kind : undefined;
}

export function fileKind(kind: FileKind): FileKindRow {
  return FILE_KINDS[kind];
}

/** True for a key of the table. */
export function isFileKind(value: unknown): value is FileKind {
  return typeof value === 'string' && Object.hasOwn(FILE_KINDS, value);
}

export function kindOfName(filename: string): FileKind | undefined {
  return BY_EXTENSION.get(extensionOf(filename));
}

function extensionOf(filename: string): string {
  return /\.([a-z\d]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
}

/** Readable formats that the program of an unreadable file can save as, by extension. */
const READABLE_FORMS: Readonly<Record<string, string>> = {
  rtf: 'DOCX or PDF',
  doc: 'DOCX or PDF',
  docm: 'DOCX or PDF',
  pages: 'DOCX or PDF',
  ppt: 'PPTX or PDF',
  pptm: 'PPTX or PDF',
  odp: 'PPTX or PDF',
  key: 'PPTX or PDF',
  xlsm: 'XLSX',
  xlsb: 'XLSX',
  numbers: 'XLSX',
  heic: 'JPEG or PNG',
  tif: 'JPEG or PNG',
  tiff: 'JPEG or PNG',
  svg: 'JPEG or PNG',
  mobi: 'EPUB',
  azw3: 'EPUB',
};

/** The end of a sentence that refuses a file for its kind: what can be done. */
export function readableForm(filename: string): string {
  const form = READABLE_FORMS[extensionOf(filename)];
  return form === undefined ? '' : `; save it as ${form} instead`;
}

/** The kind of a file by name and first bytes; undefined when they disagree or the kind is not supported. */
export function fileKindOf(filename: string, head: Uint8Array): FileKind | undefined {
  const kind = kindOfName(filename);
  if (kind === undefined) return undefined;
  const { signatures } = fileKind(kind);
  if (signatures.length === 0) return head.includes(0) ? undefined : kind;
  const text = String.fromCodePoint(...head.subarray(0, FILE_HEAD_BYTES));
  return signatures.some(({ at, text: signature }) => text.startsWith(signature, at)) ? kind : undefined;
}

/** The value of `accept` for a file picker. */
export const ACCEPTED_FILES = KINDS.flatMap((kind) =>
  FILE_KINDS[kind].extensions.map((extension) => `.${extension}`),
).join(',');

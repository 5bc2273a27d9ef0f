// Numbers of captures, files and imports.

export const ICON_FETCH_TIMEOUT_MS = 1_500;

/** Import of archives. */
export const IMPORT = {
  /** Of a zip that is sent in parts. */
  maxArchiveBytes: 2 * 1024 * 1024 * 1024,
  /** Of what is in memory as a whole: one file, the body of a request, folders that the app packs. */
  maxWholeBytes: 100 * 1024 * 1024,
  /** An export of Loci has a Markdown file for each memory. */
  maxEntries: 300_000,
  /** Bookmarks, notes or conversations in one export. */
  maxItems: 250_000,
  maxUnpackedBytes: 500 * 1024 * 1024,
  /** Files that are read one by one. */
  maxFilesBytes: 4 * 1024 * 1024 * 1024,
  maxRatio: 100,
  chunkRows: 500,
  /** Characters of text after which a chunk is written. */
  chunkCharacters: 1_000_000,
  /** Bytes of files after which a chunk is written. */
  chunkBytes: 32 * 1024 * 1024,
  readerMemoryMb: 1_024,
  /** Links of one import whose pages are fetched at once, after all other jobs; the others follow hourly. */
  pagesAtOnce: 1_000,
  /** After so long the next import has its turn, and this one continues behind those that wait. */
  turnMs: 5_000,
  /** An import that has not ended by then ends as failed; it counts again from the answer to its question. */
  maxHours: 6,
  /** The app asks before an import makes more new spaces than this. */
  spacesUnasked: 20,
  /** An import whose question is not answered by then ends as failed. */
  askDays: 7,
} as const;

/** Fetching the page behind a link. */
export const CAPTURE = {
  pageBytesMax: 10 * 1024 * 1024,
  /** Characters of a page's text that are stored. */
  pageTextMax: 1_000_000,
  /** A page with a password field and fewer words than this is only a log-in form. */
  loginWordsMax: 60,
  readerMemoryMb: 512,
  /** Waits before the second and the third attempt. */
  retryDelaysSeconds: [30, 120],
  /** Pages of one server process that are fetched side by side, and of one workspace. */
  atOnce: 4,
  lanes: 2,
} as const;

export const FILES = {
  maxBytes: 25 * 1024 * 1024,
  /** All files of one workspace together; equal files count once. */
  workspaceMaxBytes: 10 * 1024 * 1024 * 1024,
  /** How long the signed address of a file works. */
  addressMs: 5 * 60_000,
  /** A file that no memory uses is removed after this time. */
  unusedMs: 24 * 3_600_000,
  /** Opened files that a device stores for reading offline, and their share of the browser's storage quota. */
  deviceMaxBytes: 300 * 1024 * 1024,
  deviceQuotaShare: 0.2,
  readerMemoryMb: 512,
  pdfPagesMax: 500,
  imagePixelsMax: 50_000_000,
  /** Longest side of the small picture in lists, which is part of the memory itself. */
  thumbnailPixels: 96,
  thumbnailBytesMax: 6_000,
} as const;

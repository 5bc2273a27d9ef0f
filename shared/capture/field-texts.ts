/** Descriptions of fields in the API reference: imports, exports, uploads, feeds and the mail address. */
import { IMPORT } from './limits.ts';
import type { FieldTexts, RowTexts } from '../define/field-texts.ts';
import { WORKSPACE_EXPORT, type exportJob } from './export-job.ts';
import { FEEDS_MAX, type feed } from './feed.ts';
import { IMPORT_PROBLEMS_MAX, type importJob } from './import-job.ts';

const MB = 1_024 * 1_024;

const exportTexts = {
  contents: 'What is in it: that which the credential that began it may read.',
  spaceIds: 'The only spaces whose content is in it; null means all that the person reads.',
  includesFiles: 'False when uploaded files were left out.',
  status: '`expired` when the finished file was deleted.',
  total: 'Memories and threads to write; 0 until they are counted.',
  processed: 'How many of `total` are written.',
  bytes: 'Size of the finished file; null until it is finished.',
  filename: 'Name under which the file is downloaded.',
  error: 'Why it failed, in a sentence; null otherwise.',
  expiresAt: `When the finished file is deleted, in UTC: ${WORKSPACE_EXPORT.keepDays} days later. Null until it is finished.`,
} satisfies RowTexts<{ row: typeof exportJob }>;

const importTexts = {
  filename: 'Name of the archive as it was sent.',
  folders: 'What folders of the archive become: tags, spaces or nothing.',
  status:
    '`asking` waits for `import.choose`, with nothing imported yet; `failed` means that the archive itself could not be read, or that no answer came in time. Problems of single files do not fail an import.',
  newSpaces: 'New spaces that folders would become, when the import has asked; 0 otherwise.',
  newSpaceNames: 'The first few of them.',
  total: 'Items in the archive; 0 until they are counted.',
  processed: 'How many of `total` were looked at.',
  imported: 'Memories that were made.',
  updatedCount: 'Memories that were brought up to date.',
  unchanged: 'Items that were here already.',
  problems: `Items that were left out or adjusted, ${IMPORT_PROBLEMS_MAX} at most.`,
  'problems.imported': 'True when the item was imported all the same, adjusted as the reason says.',
  path: 'Place of the item in the archive.',
  reason: 'A sentence for the person.',
  error: 'Why it failed, in a sentence; null otherwise.',
  undo: 'Whether everything it did can be taken back as one; `impossible` while it runs and when it changed nothing.',
  removedCount: 'Memories and spaces that undoing moved to the trash.',
  restoredCount: 'Memories that undoing gave their earlier text again.',
  keptCount: 'Items that undoing left as they are, because they were changed since.',
  kept: 'Which these are.',
  remarks: 'Items with a problem.',
  leftOut: 'Items that were not imported.',
} satisfies RowTexts<{ row: typeof importJob }> & Record<string, string>;

const feedTexts = {
  ownerId: 'Id of the user who follows it; its memories are theirs.',
  spaceId: 'Home space of its memories.',
  url: 'Address of the feed itself, also when a page that names it was sent.',
  title: 'As the feed calls itself.',
  state: '`paused` checks nothing; a feed that fails for long is paused by the server.',
  problem: 'Why it is paused or why the last check failed; null when all is well.',
  checkedAt: 'Last check, in UTC; null before the first.',
  nextAt: 'Next check, in UTC; null while it is paused.',
} satisfies RowTexts<{ row: typeof feed }>;

const uploadId = 'Id of the upload.';

export const captureFieldTexts = {
  Export: exportTexts,
  ExportWithFile: {
    ...exportTexts,
    download:
      'Where the finished file is, for a person who still may read what is in it; null while there is none.',
    'download.url': 'Returns the file without a token, until it expires.',
    'download.expiresAt': 'Five minutes from now, in UTC; the next call has a new address.',
  },
  Import: importTexts,
  Feed: feedTexts,
  MailAddress: {
    isAvailable: 'False on a server that takes no mails.',
    address: 'Secret: what is sent to it is saved as the person’s. Null while there is none.',
    created: 'When this address was made, in UTC; null while there is none.',
  },
  Upload: {
    id: uploadId,
    filename: 'As the sender named it.',
    bytes: 'Size of the whole file.',
    received: 'Bytes that have arrived; the next part begins here.',
    expiresAt: 'When an unfinished upload is deleted, in UTC.',
    'Upload-Length': 'Size of the whole file in bytes.',
    'Upload-Metadata':
      'Pairs of a key and a value in Base64, with commas between them: filename, filetype, id, spaceId.',
    'Upload-Offset': 'Byte at which the sent part begins; must be how much has arrived so far.',
  },
  'file.get': { address: 'The signed last part of an address that another call returned; it expires.' },
  'import.create': {
    payload: 'The fields as JSON.',
    file: `The archive, at most ${IMPORT.maxWholeBytes / MB} MB; a zip of up to ${IMPORT.maxArchiveBytes / MB / 1024} GB is sent in parts.`,
    filename: 'Shown in the list of imports; the name of the sent file when it is left out.',
    spacesMax: `New spaces that folders may become without asking; for more, nothing is imported before \`import.choose\` is called within ${IMPORT.askDays} days. Left out, it never asks.`,
  },
  'export.create': {
    includeFiles: 'False leaves uploaded files out, so that a large workspace makes a small archive.',
  },
  'feed.create': {
    url: `Of the feed, or of a page that names its feed; ${FEEDS_MAX} for a person in a workspace.`,
    spaceId: 'Where its memories live; null makes a private space with the name of the feed.',
  },
} as const satisfies FieldTexts;

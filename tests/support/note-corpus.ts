/** The project's own notes, read as the import reads them, and what people ask of them: one truth for both searches. */
import path from 'node:path';
import { readMarkdownNote } from '#server/capture/markdown-note.ts';
import { filesBelow, ZIP_TIME } from '#tests/support/zip.ts';

/** The folder of the notes. */
export const NOTES_FOLDER = path.resolve(import.meta.dirname, '../fixtures/notes');

/** Every note with its path in the folder. */
export const corpusNotes = () =>
  filesBelow(NOTES_FOLDER).map((file) => ({
    file: file.path,
    ...readMarkdownNote({ path: file.path, text: String(file.bytes), modified: ZIP_TIME }, true),
  }));

/** Keywords, and the note that stands first for them. */
export const KEYWORD_QUERIES: readonly (readonly [query: string, file: string])[] = [
  ['compost', 'garden/compost-basics.md'],
  ['tomato disease', 'garden/tomato-blight.md'],
  ['git undo', 'code/git/undo-last-commit.md'],
  ['offset pagination', 'code/sql/keyset-pagination.md'],
  ['explain', 'code/sql/explain-analyze.md'],
  ['kasespatzle', 'kitchen/kaesespaetzle.md'],
  ['hüttenschlafsack', 'travel/alps/packliste.md'],
  ['東京 ラーメン', 'kitchen/ラーメン.md'],
  ['波函数', 'science/量子力学.md'],
  ['한국어', 'languages/korean-particles.md'],
  ['"one repository"', 'work/decisions/2023-03-monorepo.md'],
  ['tag:sql running total', 'code/sql/window-functions.md'],
  ['zettelk', 'reading/zettelkasten.md'],
  ['kubernets prob', 'code/kubernetes-probes.md'],
  ['plumber photographs', 'home/insurance-claim.md'],
];

/** Questions in whole sentences, and the note that answers them. */
export const QUESTIONS: readonly (readonly [question: string, file: string])[] = [
  ['which large files fill my disk?', 'code/shell/find-large-files.md'],
  ['why does my job find nothing when cron starts it', 'code/shell/cron-environment.md'],
  ['is it worth to buy the train pass in japan', 'travel/japan/jr-pass.md'],
  ['what should I do against pain in the back', 'health/back-exercises.md'],
];

/**
 * The project's own notes, parsed as the import parses them, with questions about them: one corpus for the search on
 * both sides.
 */
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

/** Questions in whole sentences, each with the note that answers it. */
export const QUESTIONS: readonly (readonly [question: string, file: string])[] = [
  ['which large files fill my disk?', 'code/shell/find-large-files.md'],
  ['why does my job find nothing when cron starts it', 'code/shell/cron-environment.md'],
  ['is it worth to buy the train pass in japan', 'travel/japan/jr-pass.md'],
  ['what should I do against pain in the back', 'health/back-exercises.md'],
];

/**
 * Questions as asked in a thread, each with the note that an answer has to rest on. Written before answers were tuned.
 */
export const THREAD_QUESTIONS: readonly (readonly [question: string, file: string])[] = [
  ['How do I undo my last commit without losing the changes?', 'code/git/undo-last-commit.md'],
  ['Which exit code tells bisect that it cannot tell?', 'code/git/bisect-automatically.md'],
  ['Can I check out the same branch in two worktrees?', 'code/git/worktrees.md'],
  ['How do I give a fetch a deadline?', 'code/javascript/abort-controller.md'],
  ['What does structuredClone refuse to copy?', 'code/javascript/structured-clone.md'],
  ['What is the difference between a liveness and a readiness probe?', 'code/kubernetes-probes.md'],
  ['Why does my cron job not find its programs?', 'code/shell/cron-environment.md'],
  ['How can I reach a machine behind a jump host with ssh?', 'code/shell/ssh-jump-host.md'],
  ['What should I look at in the output of EXPLAIN ANALYZE?', 'code/sql/explain-analyze.md'],
  ['Why is OFFSET slow and what can I use instead?', 'code/sql/keyset-pagination.md'],
  ['How much brown and green does a compost heap need?', 'garden/compost-basics.md'],
  ['When should I prune the roses?', 'garden/pruning-roses.md'],
  ['What do I have to do with the rain barrels in November?', 'garden/rain-barrel.md'],
  ['Which tomato varieties resisted blight longest?', 'garden/tomato-blight.md'],
  ['Who keeps the list of the seed swap?', 'garden/seed-swap.md'],
  ['Which exercises help my back?', 'health/back-exercises.md'],
  ['Did magnesium help me sleep?', 'health/sleep-notes.md'],
  ['What pressure should the heating have after bleeding the radiators?', 'home/heating-bleeding.md'],
  ['What did the insurance want after the water damage?', 'home/insurance-claim.md'],
  ['How long does cold brew stay in the fridge?', 'kitchen/cold-brew.md'],
  ['How much salt goes into the fermented chilli sauce?', 'kitchen/fermented-chilli.md'],
  ['At what angle do I sharpen the kitchen knives?', 'kitchen/knife-sharpening.md'],
  ['When do I shape the sourdough?', 'kitchen/sourdough-schedule.md'],
  ['What does the German word Gift mean?', 'languages/false-friends.md'],
  ['How many notes do neighbours on the circle of fifths share?', 'music/circle-of-fifths.md'],
  ['Why are there two tides a day?', 'science/tides.md'],
  ['Why is the sky not violet?', 'science/why-the-sky-is-blue.md'],
  ['Is the Japan rail pass worth the money?', 'travel/japan/jr-pass.md'],
  ['Which tram should I take in Lisbon instead of the 28?', 'travel/lisbon-trams.md'],
  ['What did we decide about deployments after the April retrospective?', 'work/meetings/retro-april.md'],
];

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
 * What a note is about in other words than its own, each with that note. Written before search by meaning was tried on
 * them.
 */
export const PARAPHRASES: readonly (readonly [query: string, file: string])[] = [
  ['hunt down which change introduced a bug', 'code/git/bisect-automatically.md'],
  ['revert my newest check-in', 'code/git/undo-last-commit.md'],
  ['work on two features of a project in parallel directories', 'code/git/worktrees.md'],
  ['understand a query plan', 'code/sql/explain-analyze.md'],
  ['scroll quickly to later results', 'code/sql/keyset-pagination.md'],
  ['merge a record when it already exists', 'code/sql/upsert.md'],
  ['cumulative amounts of revenue', 'code/sql/window-functions.md'],
  ['scheduled script fails to locate executables', 'code/shell/cron-environment.md'],
  ['no space left on my drive', 'code/shell/find-large-files.md'],
  ['log in to an internal server through a bastion', 'code/shell/ssh-jump-host.md'],
  ['turning organic waste into fertiliser', 'garden/compost-basics.md'],
  ['trimming shrubs', 'garden/pruning-roses.md'],
  ['collecting water from the roof', 'garden/rain-barrel.md'],
  ['fungus killing my vegetables', 'garden/tomato-blight.md'],
  ['trading plants with the neighbourhood', 'garden/seed-swap.md'],
  ['stretching routine against spine ache', 'health/back-exercises.md'],
  ['insomnia remedies', 'health/sleep-notes.md'],
  ['cycle tune-up', 'home/bike-maintenance.md'],
  ['air trapped in central warmth system', 'home/heating-bleeding.md'],
  ['getting compensated for a flooded flat', 'home/insurance-claim.md'],
  ['iced caffeine beverage', 'kitchen/cold-brew.md'],
  ['hot sauce made with lactic bacteria', 'kitchen/fermented-chilli.md'],
  ['honing blades', 'kitchen/knife-sharpening.md'],
  ['homemade loaf with natural leaven', 'kitchen/sourdough-schedule.md'],
  ['trekking in the mountains overnight', 'travel/alps/hut-to-hut.md'],
  ['railway fares for tourists in asia', 'travel/japan/jr-pass.md'],
  ['peaceful buddhist shrines', 'travel/japan/kyoto-temples.md'],
  ['sightseeing in the portuguese capital', 'travel/lisbon-trams.md'],
  ['sleeper to austria', 'travel/night-train-vienna.md'],
  ['why the ocean rises and falls', 'science/tides.md'],
  ['colour of the heavens', 'science/why-the-sky-is-blue.md'],
  ['how governments simplify society', 'reading/seeing-like-a-state.md'],
  ['memorising with flashcards', 'reading/spaced-repetition.md'],
  ['what to ask a job candidate', 'work/interview-questions.md'],
  ['first week of a new colleague', 'work/onboarding-checklist.md'],
  ['toggle for hiding incomplete code', 'work/decisions/2023-09-feature-flags.md'],
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

/**
 * The script of public pages. The server has rendered the page; this script makes it interactive: each part finds its elements
 * by their data attributes, and rarely used parts are fetched on first use. No React anywhere.
 */
import { COOKIES } from '#shared/constants.ts';
import { FOLLOW } from '#shared/threads/limits.ts';
import { sweepAtStart } from '#client/api/lazy-signed-out.ts';
import { readCookie } from '#client/api/cookies.ts';
import { registerServiceWorker } from '#client/start/app-update.ts';
import { toggleColorMode, watchColorMode } from '#client/shell/color-mode.ts';
import { whenIdle } from '#client/start/quiet-moment.ts';
import { showToast } from '#client/shell/toasts.ts';
import { copyCode } from '#client/site/copy-code.ts';
import { toggleFoldOut, watchFoldOuts } from '#client/site/fold-outs.ts';
import { atFirstSign } from '#client/site/first-sign.ts';
import { closeDialogAround, openDialog } from '#client/shell/native-dialog.ts';
import { watchNewsletterForms } from '#client/site/newsletter.ts';
import { watchPageLoading } from '#client/site/page-loading-bar.ts';
import { showReadingPlace } from '#client/site/reading-place.ts';
import { watchSampleLanguage } from '#client/site/sample-language.ts';
import { showRelativeTimes, watchRelativeTimes } from '#client/site/relative-times.ts';
import { watchSiteShortcuts } from '#client/site/site-shortcuts.ts';
import { watchToasts } from '#client/site/toast-list.ts';
import { refuseForeignScripts } from '#client/trusted-types.ts';

const loadRating = () => import('#client/threads/visitor-rating.ts');

/** Fetches a part and runs it; a failure is shown under the part's name. */
async function withPart<Part>(
  name: string,
  load: () => Promise<Part>,
  run: (part: Part) => void | Promise<void>,
): Promise<void> {
  try {
    await run(await load());
  } catch (error) {
    console.warn(`${name} could not be loaded`, error);
    showToast({
      kind: 'error',
      title: `${name} could not be loaded`,
      description: 'Please try again',
    });
  }
}

/** The field accepts typing while the search itself is loading. */
function openSearch(): void {
  const dialog = openDialog('site-search');
  const input = dialog.querySelector('input');
  input?.focus();
  input?.select();
  void withPart(
    'The search',
    () => import('#client/site/site-search.ts'),
    ({ showSiteSearch }) => showSiteSearch(dialog),
  );
}

/** A value that the server wrote into a data attribute. */
function given<Value>(element: HTMLElement, name: string): Value {
  return JSON.parse(element.dataset[name] ?? 'null');
}

function saveSpace(link: HTMLElement): void {
  if (!(link instanceof HTMLAnchorElement)) return;
  void withPart(
    'The form',
    () => import('#client/spaces/save-space-dialog.ts'),
    ({ openSaveSpace }) => openSaveSpace(link),
  );
}

/** Puts a suggested query into the field; what searches may still be on its way. */
function tryQuery(button: HTMLElement): void {
  const input = button.closest('section')?.querySelector('input');
  if (!input) throw new Error('A suggested query stands outside of the demonstration');
  input.value = button.textContent;
  input.focus();
  input.dispatchEvent(new Event('input'));
}

type Answer = (element: HTMLElement) => void;

/** Handlers of a press, by the `data-action` of the element. */
const ACTIONS: Readonly<Record<string, Answer>> = {
  search: openSearch,
  'color-mode': toggleColorMode,
  'early-access': () => void openDialog('early-access'),
  'close-dialog': closeDialogAround,
  'fold-out': toggleFoldOut,
  copy: (button) => void copyCode(button),
  report: (link) =>
    void withPart(
      'The form',
      () => import('#client/spaces/report-dialog.ts'),
      ({ openReport }) => openReport(given(link, 'subject')),
    ),
  'try-query': tryQuery,
  'save-space': saveSpace,
  'try-call': (button) =>
    void withPart(
      'The form',
      () => import('#client/site/try-call.ts'),
      ({ toggleCallForm }) => toggleCallForm(button),
    ),
  rate: (button) => void withPart('The rating', loadRating, ({ rate }) => rate(button)),
  'rate-why': (button) => void withPart('The form', loadRating, ({ toggleWhy }) => toggleWhy(button)),
};

const isSignedIn = (): boolean => readCookie(COOKIES.session) !== undefined;

function answer(event: MouseEvent): void {
  const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || !(target instanceof Element)) return;
  const element = target.closest<HTMLElement>('[data-action]');
  const run = ACTIONS[element?.dataset['action'] ?? ''];
  // The link through sign-up is right for visitors without a session.
  if (!element || !run || (run === saveSpace && !isSignedIn())) return;
  event.preventDefault();
  run(element);
}

/** A visitor who signed up to save a space has come back to it. */
function continueSaving(): void {
  const link = document.querySelector<HTMLElement>('[data-action="save-space"]');
  if (link && new URLSearchParams(location.search).has('save') && isSignedIn()) saveSpace(link);
}

/** A thread whose last word is a question is followed at once, every other one when it is read. */
function followWhenRead(region: HTMLElement): void {
  const begin = () =>
    void import('#client/threads/follow-public-thread.ts').then(
      ({ followPublicThread }) => followPublicThread(region, showRelativeTimes),
      (failure: unknown) => console.info('threads: following could not be loaded', failure),
    );
  const { awaits } = given<{ awaits: string | null }>(region, 'follow');
  if (awaits !== null && Date.now() - Date.parse(awaits) < FOLLOW.awaitedMs) begin();
  else atFirstSign(begin);
}

refuseForeignScripts();
watchColorMode();
watchToasts();
addEventListener('click', answer);
watchFoldOuts();
watchNewsletterForms(closeDialogAround);
watchSiteShortcuts(openSearch);
watchPageLoading();
watchRelativeTimes();
// In the frame that lays the page out, instead of making the script wait for that.
requestAnimationFrame(showReadingPlace);
if (document.querySelector('[data-sample-language]')) watchSampleLanguage();
if (document.querySelector('[data-rating]'))
  void withPart('The rating', loadRating, ({ watchRatings }) => watchRatings());
if (document.querySelector('[data-ask]'))
  void withPart(
    'The question box',
    () => import('#client/threads/visitor-questions.ts'),
    ({ watchQuestions }) => watchQuestions(showRelativeTimes),
  );
const demo = document.querySelector<HTMLElement>('[data-search-demo]');
if (demo)
  atFirstSign(
    () =>
      void withPart(
        'The search',
        () => import('#client/site/search-demo.ts'),
        ({ watchSearchDemo }) => watchSearchDemo(demo),
      ),
  );
const followed = document.querySelector<HTMLElement>('[data-follow]');
if (followed) followWhenRead(followed);
continueSaving();
registerServiceWorker();
whenIdle(() => void sweepAtStart());
performance.mark('loci-started');

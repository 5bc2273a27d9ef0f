/**
 * Sends the question of a visitor and opens the page of its answer. What was typed stays in its field when the question
 * is refused. Loaded by the pages that have a question box.
 */
import { pathTo } from '#shared/pages.ts';
import type { PublicThread } from '#shared/threads/public-thread.ts';
import { fetchPublic } from '#client/call-api.ts';

const FORM = 'form[data-ask]';
const AWAY = 'The server cannot be reached. Check your connection and try again.';

function fieldOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}

function setBusy(form: HTMLFormElement, isBusy: boolean): void {
  const button = form.querySelector('button');
  button?.setAttribute('aria-busy', String(isBusy));
  button?.setAttribute('aria-disabled', String(isBusy));
}

/** The message takes the place of the hint. */
function show(form: HTMLFormElement, problem: string | undefined): void {
  const note = form.querySelector<HTMLElement>('[data-hint]');
  note?.toggleAttribute('data-problem', problem !== undefined);
  note?.replaceChildren(problem ?? note.dataset['hint'] ?? '');
}

/** The server's own words for a refusal. */
async function wordsFor(failure: unknown): Promise<string> {
  if (!(failure instanceof Response)) return AWAY;
  try {
    const { error }: { error: { detail: string } } = await failure.json();
    return error.detail;
  } catch {
    // A proxy in between responds in its own form.
    return AWAY;
  }
}

async function ask(form: HTMLFormElement): Promise<void> {
  const content = fieldOf(form, 'content');
  const website = fieldOf(form, 'website');
  const place: object = JSON.parse(form.dataset['ask'] ?? '{}');
  setBusy(form, true);
  show(form, undefined);
  try {
    const body = { ...place, content, ...(website === '' ? {} : { website }) };
    const { thread } = await fetchPublic<{ thread: PublicThread }>('POST', '/v1/public/threads', body);
    const address = pathTo('public_thread', { workspace_slug: thread.workspace.slug, thread_id: thread.id });
    form.reset();
    location.assign(address);
  } catch (failure) {
    show(form, await wordsFor(failure));
  } finally {
    setBusy(form, false);
  }
}

/** Takes over the forms of the page. */
export function watchQuestions(): void {
  const busy = new WeakSet<HTMLFormElement>();
  for (const form of document.querySelectorAll<HTMLFormElement>(FORM))
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (busy.has(form)) return;
      busy.add(form);
      void ask(form).finally(() => busy.delete(form));
    });
}

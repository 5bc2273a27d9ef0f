/**
 * Sends the question of a visitor and opens the page of its answer, where the same tab can ask further questions. The text
 * stays in its field when the question is refused. Loaded by the pages that have a question box.
 */
import { pathTo } from '#shared/pages.ts';
import { CONVERSATION_HOURS } from '#shared/threads/visitor-conversation.ts';
import type { PublicMessage, PublicThread } from '#shared/threads/public-thread.ts';
import { fetchPublic, problemIn } from '#client/call-api.ts';
import { sendOnce } from '#client/shell/busy-form.ts';

const FORM = 'form[data-ask]';

function fieldOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** The message replaces the hint. */
function show(form: HTMLFormElement, problem: string | undefined): void {
  const note = form.querySelector<HTMLElement>('[data-hint]');
  note?.toggleAttribute('data-problem', problem !== undefined);
  note?.replaceChildren(problem ?? note.dataset['hint'] ?? '');
}

interface AskedPlace {
  workspaceId: string;
  /** Of a first question. */
  spaceId?: string;
  /** Of a further one. */
  threadId?: string;
}

/** Opens the conversation until a time in milliseconds. */
interface ConversationKey {
  key: string;
  until: number;
}

/** Keys live as long as the tab, so that no later user of the browser can ask on. */
const keyName = (threadId: string) => `loci-conversation-${threadId}`;

function keepKey(threadId: string, key: string): void {
  const kept: ConversationKey = { key, until: Date.now() + CONVERSATION_HOURS * 3_600_000 };
  try {
    sessionStorage.setItem(keyName(threadId), JSON.stringify(kept));
  } catch (failure) {
    console.info('threads: this browser keeps nothing, so the visitor cannot ask on', failure);
  }
}

/** Undefined for visitors who did not begin the thread in this tab, and after its time. */
function findKey(threadId: string): string | undefined {
  try {
    const kept: ConversationKey | null = JSON.parse(sessionStorage.getItem(keyName(threadId)) ?? 'null');
    return kept !== null && kept.until > Date.now() ? kept.key : undefined;
  } catch (failure) {
    console.info('threads: the key of this conversation could not be read', failure);
    return undefined;
  }
}

async function askSpace(body: object): Promise<void> {
  const { thread, visitorKey } = await fetchPublic<{ thread: PublicThread; visitorKey: string }>(
    'POST',
    '/v1/public/threads',
    body,
  );
  keepKey(thread.id, visitorKey);
  location.assign(pathTo('public_thread', { workspace_slug: thread.workspace.slug, thread_id: thread.id }));
}

/** The focus stays in the field, for the next question. */
async function askOn(thread: { path: string; id: string }, said: object, onDrawn: () => void): Promise<void> {
  const body = { ...said, visitorKey: findKey(thread.id) ?? '-' };
  const { messages } = await fetchPublic<{ messages: PublicMessage[] }>('POST', thread.path, body);
  const region = document.querySelector('[data-follow]');
  try {
    if (!region) throw new Error('The page does not follow its thread');
    const { showWhatIsNew } = await import('#client/threads/follow-public-thread.ts');
    await showWhatIsNew(region, '', onDrawn);
    region.querySelector('[data-news]')?.replaceChildren('The answer has arrived.');
    document.getElementById(messages.at(-2)?.id ?? '')?.scrollIntoView({ block: 'nearest' });
  } catch (failure) {
    // The question is answered all the same.
    console.info('threads: the answer could not be added to the page', failure);
    location.reload();
  }
}

async function ask(form: HTMLFormElement, onDrawn: () => void): Promise<void> {
  const content = fieldOf(form, 'content');
  const website = fieldOf(form, 'website');
  const place: AskedPlace = JSON.parse(form.dataset['ask'] ?? '{}');
  show(form, undefined);
  try {
    const said = { content, ...(website === '' ? {} : { website }) };
    const { workspaceId, threadId: id } = place;
    if (id === undefined) await askSpace({ ...place, ...said });
    else await askOn({ path: `/v1/public/messages/${workspaceId}/${id}`, id }, said, onDrawn);
    form.reset();
  } catch (failure) {
    show(form, await problemIn(failure));
  }
}

/** Handles the forms of the page; `onDrawn` is called when messages were added. */
export function watchQuestions(onDrawn: () => void): void {
  for (const form of document.querySelectorAll<HTMLFormElement>(FORM)) {
    const { threadId }: AskedPlace = JSON.parse(form.dataset['ask'] ?? '{}');
    const hidden = form.closest<HTMLElement>('[data-ask-on]');
    if (hidden && threadId !== undefined) hidden.hidden = findKey(threadId) === undefined;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void sendOnce(form, () => ask(form, onDrawn));
    });
  }
}

/**
 * The search worker's logic: one index, fed and queried by messages. Merges and stores it when idle, and of several
 * waiting searches on a channel runs only the newest. Uses no worker globals, so tests run it in place.
 */
import { planSearch } from '#shared/memories/search-plan.ts';
import { parseSearchQuery } from '#shared/memories/search-query.ts';
import { subjectOf } from '#shared/search/question.ts';
import { openIndexStore, type IndexStore } from './index-store.ts';
import { SearchIndex } from '#shared/search/search-index.ts';
import type { FromSearchWorker, ToSearchWorker } from './search-protocol.ts';
import type { FindWordVectors } from './word-vectors.ts';

/** Longest stretch of merging before waiting messages get their turn, in milliseconds. */
const SLICE_MS = 8;
/** Documents indexed in one turn; more would delay a waiting search noticeably. */
const BATCH_MAX = 1_000;
/** Quiet time after the last change before the index is stored, in milliseconds. */
const SAVE_DELAY_MS = 3_000;

type Post = (message: FromSearchWorker) => void;

interface HostState {
  index: SearchIndex;
  findWordVectors: FindWordVectors;
  store: IndexStore | undefined;
  changed: boolean;
  closed: boolean;
  merge: Generator<undefined, void> | undefined;
  saveTimer: ReturnType<typeof setTimeout> | undefined;
}

/** Accepts any number of messages and handles them in order. */
export interface SearchHost {
  receive(message: ToSearchWorker): void;
}

/** A host with an empty index; `post` sends its replies, and questions use the vectors of words. */
export function createSearchHost(post: Post, findWordVectors: FindWordVectors): SearchHost {
  const state: HostState = {
    index: SearchIndex.build([]),
    findWordVectors,
    store: undefined,
    changed: false,
    closed: false,
    merge: undefined,
    saveTimer: undefined,
  };
  const waiting: ToSearchWorker[] = [];
  // Turns are tasks of their own: messages that have arrived since are added to `waiting` first and may be newer.
  const turns = new MessageChannel();
  let running = false;
  const takeTurn = async (): Promise<void> => {
    const message = nextMessage(waiting);
    if (message?.type === 'search' && isSuperseded(message, waiting))
      post({ type: 'stale', call: message.call });
    else if (message) await handle(state, message, post);
    else mergeSlice(state);
    if (state.closed) return turns.port1.close();
    running = waiting.length > 0 || state.merge !== undefined || state.index.needsCompaction;
    if (running) turns.port2.postMessage(undefined);
    return undefined;
  };
  turns.port1.addEventListener('message', () => void takeTurn());
  turns.port1.start();
  return {
    receive(message) {
      if (state.closed) return;
      waiting.push(message);
      if (running) return;
      running = true;
      turns.port2.postMessage(undefined);
    },
  };
}

/** The next message; document batches that wait behind each other become one, since one large segment is cheaper. */
function nextMessage(waiting: ToSearchWorker[]): ToSearchWorker | undefined {
  const message = waiting.shift();
  if (message?.type !== 'upsert') return message;
  const documents = [...message.documents];
  for (let next = waiting[0]; next?.type === 'upsert' && documents.length < BATCH_MAX; next = waiting[0]) {
    documents.push(...next.documents);
    waiting.shift();
  }
  return { type: 'upsert', documents };
}

function isSuperseded(search: { channel: string }, waiting: readonly ToSearchWorker[]): boolean {
  return waiting.some((later) => later.type === 'search' && later.channel === search.channel);
}

function mergeSlice(state: HostState): void {
  state.merge ??= state.index.compactInSlices();
  const end = performance.now() + SLICE_MS;
  while (performance.now() < end) {
    if (state.merge.next().done) {
      state.merge = undefined;
      return;
    }
  }
}

/** Handles a message; a failure is posted back, for a message without a call under the number 0. */
async function handle(state: HostState, message: ToSearchWorker, post: Post): Promise<void> {
  try {
    await perform(state, message, post);
  } catch (error) {
    post({ type: 'failed', call: 'call' in message ? message.call : 0, message: String(error) });
  }
}

async function perform(state: HostState, message: ToSearchWorker, post: Post): Promise<void> {
  switch (message.type) {
    case 'open':
      return open(state, message, post);
    case 'search':
      return search(state, message, post);
    case 'related':
      return post({
        type: 'related',
        call: message.call,
        hits: state.index.related(message.id, message),
      });
    case 'upsert':
      state.index.upsertAll(message.documents);
      return noteChange(state, post);
    case 'remove':
      for (const id of message.ids) state.index.remove(id);
      return noteChange(state, post);
    case 'reconcile':
      return reconcile(state, message, post);
    case 'save':
      await save(state);
      return post({ type: 'saved', call: message.call });
    default:
      return close(state, message, post);
  }
}

async function search(
  { index, findWordVectors }: HostState,
  { query, request, call }: Extract<ToSearchWorker, { type: 'search' }>,
  post: Post,
): Promise<void> {
  const plan = planSearch(parseSearchQuery(query));
  const wordVectors = subjectOf(plan) && (await findWordVectors());
  post({ type: 'found', call, result: index.searchPlan(plan, { ...request, wordVectors }) });
}

async function open(
  state: HostState,
  { name, call }: { name: string | undefined; call: number },
  post: Post,
): Promise<void> {
  state.store = name === undefined ? undefined : openIndexStore(name);
  const buffer = await state.store?.load().catch((error: unknown) => {
    // Without storage search still works, it only starts empty at each visit.
    state.store = undefined;
    post({ type: 'failed', call: 0, message: `The stored search index cannot be read: ${String(error)}` });
    return undefined;
  });
  const loaded = buffer && SearchIndex.load(buffer);
  if (loaded) {
    state.index = loaded;
    state.merge = undefined;
  }
  post({ type: 'opened', call, usable: loaded !== undefined, count: state.index.count });
}

function reconcile(
  state: HostState,
  { ids, stamps, call }: { ids: readonly string[]; stamps: Float64Array; call: number },
  post: Post,
): void {
  const before = state.index.count;
  const wanted = state.index.reconcile(new Map(ids.map((id, place) => [id, stamps[place] ?? Number.NaN])));
  if (state.index.count !== before) noteChange(state, post);
  post({ type: 'reconciled', call, ids: wanted });
}

function noteChange(state: HostState, post: Post): void {
  state.changed = true;
  clearTimeout(state.saveTimer);
  if (!state.store) return;
  state.saveTimer = setTimeout(() => {
    void save(state).catch((error: unknown) => {
      state.store = undefined;
      post({ type: 'failed', call: 0, message: `The search index cannot be stored: ${String(error)}` });
    });
  }, SAVE_DELAY_MS);
}

async function save(state: HostState): Promise<void> {
  clearTimeout(state.saveTimer);
  if (!state.changed || !state.store) return;
  state.changed = false;
  await state.store.save(state.index.serialize());
}

async function close(
  state: HostState,
  { discard, call }: { discard: boolean; call: number },
  post: Post,
): Promise<void> {
  try {
    if (discard) clearTimeout(state.saveTimer);
    else await save(state);
  } finally {
    state.store?.close();
    state.closed = true;
  }
  post({ type: 'closed', call });
}

// Stores what other applications share into this one, in its own small IndexedDB, from the service worker's response until the
// capture sheet has read it. Usable in the worker and in the page.
import { newId, type Id } from '#shared/ids.ts';
import { committed, promiseOf } from '#client/replica/worker/idb-requests.ts';

/** One act of sharing, as the share target received it. */
export interface SharedItem {
  title: string;
  text: string;
  url: string;
  files: File[];
  receivedAt: number;
  /** Once the files are being saved: where, and under which ids. */
  saving?: { place: string; ids: readonly Id<'memory'>[] };
}

/** The files with id and time of the memory that each becomes, the same at every attempt. */
export type NamedFiles = ReadonlyMap<File, { id: Id<'memory'>; at: string }>;

const DATABASE = 'loci-shared';
const STORE = 'items';

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.addEventListener('upgradeneeded', () =>
    request.result.createObjectStore(STORE, { autoIncrement: true }),
  );
  return promiseOf(request);
}

async function run<Result>(
  mode: IDBTransactionMode,
  work: (store: IDBObjectStore) => IDBRequest<Result>,
): Promise<Result> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    await committed(transaction);
    return request.result;
  } finally {
    database.close();
  }
}

/** Reads a share target's form. Fields that are missing become empty. */
export function sharedItemOf(form: FormData): SharedItem {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  const files = form
    .getAll('files')
    .filter((value): value is File => value instanceof File && value.size > 0);
  return { title: text('title'), text: text('text'), url: text('url'), files, receivedAt: Date.now() };
}

/** Stores an item until the application reads it. */
export async function storeSharedItem(item: SharedItem): Promise<void> {
  await run('readwrite', (store) => store.add(item));
}

interface Entry {
  key: IDBValidKey;
  item: SharedItem;
}

/** A text with the name that it has for as long as it waits. */
export interface NamedText {
  name: string;
  item: SharedItem;
}

/** Keys restart once all entries were removed, so the name includes the time. */
const nameOf = ({ key, item }: Entry): string => `${JSON.stringify(key)}@${item.receivedAt}`;

const oneTabAtATime = (work: () => Promise<void>): Promise<void> =>
  navigator.locks.request('loci-shared-texts', work);

/** Everything that waits, oldest first. */
async function entries(): Promise<readonly Entry[]> {
  const keys = await run('readonly', (store) => store.getAllKeys());
  const last = keys.at(-1);
  if (last === undefined) return [];
  const items: SharedItem[] = await run('readonly', (store) => store.getAll(IDBKeyRange.upperBound(last)));
  return items.flatMap((item, index) => {
    const key = keys[index];
    return key === undefined ? [] : [{ key, item }];
  });
}

const hasText = ({ title, text, url }: SharedItem) => title !== '' || text !== '' || url !== '';

async function forgetText({ key, item }: Entry): Promise<void> {
  const rest: SharedItem = { ...item, title: '', text: '', url: '' };
  if (item.files.length === 0) await run('readwrite', (store) => store.delete(key));
  else await run('readwrite', (store) => store.put(rest, key));
}

/**
 * Passes on the waiting texts, oldest first, and removes them once `take` has stored them; files stay. Texts shared
 * meanwhile wait for the next call. If the page is left before they are removed, the next page passes them on again:
 * the taker stores their names with them and skips those that it has.
 */
export async function takeSharedTexts(take: (texts: readonly NamedText[]) => Promise<void>): Promise<void> {
  await oneTabAtATime(async () => {
    const texts = (await entries()).filter(({ item }) => hasText(item));
    if (texts.length === 0) return;
    await take(texts.map((entry) => ({ name: nameOf(entry), item: entry.item })));
    for (const entry of texts) await forgetText(entry);
  });
}

/** Forgets the texts of these names: they are safe, and the page that took them was left too early. */
export async function removeSharedTexts(names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  await oneTabAtATime(async () => {
    for (const entry of await entries())
      if (hasText(entry.item) && names.includes(nameOf(entry))) await forgetText(entry);
  });
}

/** Whether files wait here. */
export async function hasSharedFiles(): Promise<boolean> {
  return (await entries()).some(({ item }) => item.files.length > 0);
}

/** The files of an entry, named: a page that is left before they are forgotten is followed by one that saves the same. */
async function nameFiles({ key, item }: Entry, place: string): Promise<NamedFiles> {
  const known = item.saving?.place === place ? item.saving.ids : [];
  const at = new Date(item.receivedAt).toISOString();
  const files = new Map(
    item.files.map((file, index) => [file, { id: known[index] ?? newId('memory'), at }] as const),
  );
  const ids = [...files.values()].map(({ id }) => id);
  if (known.length === 0)
    await run('readwrite', (store) => store.put({ ...item, saving: { place, ids } }, key));
  return files;
}

/**
 * Passes on the files of one share after the other, and removes them once the receiver has saved them or refused them with a
 * reason. One tab at a time does so. The place is the person and workspace that the files are saved to.
 */
export async function takeSharedFiles(
  place: string,
  take: (files: NamedFiles) => Promise<boolean>,
): Promise<void> {
  await navigator.locks.request('loci-shared-files', async () => {
    for (const entry of await entries()) {
      if (entry.item.files.length === 0 || hasText(entry.item)) continue;
      if (await take(await nameFiles(entry, place)))
        await run('readwrite', (store) => store.delete(entry.key));
    }
  });
}

/** Deletes all waiting items, when a person logs out of this device. */
export async function removeSharedItems(): Promise<void> {
  await promiseOf(indexedDB.deleteDatabase(DATABASE));
}

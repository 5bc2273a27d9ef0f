// Saves what a tab shows: copied, added to the table of waiting entries, and sent.
import { CAPTURE } from '#shared/capture/limits.ts';
import { newId } from '#shared/ids.ts';
import { accountKey, spaceOf, type Account } from './account.ts';
import { callsAt } from './calls.ts';
import type { Page } from './messages.ts';
import { copyPage, type PageCopy } from './page-copy.ts';
import { savedAs, sendWaiting } from './send-waiting.ts';
import { withToken } from './sign-in.ts';
import { addSave, waitingOf } from './waiting-store.ts';

/** The person waits for it before the page is saved. */
const FIND_LIMIT_MS = 3_000;

/**
 * The memory of the page that a tab shows, if the person can read one. Null also when the server cannot be reached: the page is
 * then saved, and the server finds the memory when it arrives.
 */
export async function findPage(account: Account, tab: chrome.tabs.Tab): Promise<Page | null> {
  const copy = await copyOf(tab, false);
  const address = copy?.url ?? tab.url;
  if (address === undefined || !isWebAddress(address)) return null;
  const { workspaceId, server, workspaceSlug } = account;
  try {
    const memory = await withToken(account, async (token) => {
      const call = callsAt(server, token, FIND_LIMIT_MS);
      const query = { address, orderBy: 'created', order: 'asc', perPage: 1 } as const;
      const { result: found } = await call('memory.list', { params: { workspaceId }, query });
      // Lists leave out long notes, which the popup must not mistake for empty ones.
      return found[0] && (await call('memory.get', { params: { workspaceId, id: found[0].id } })).result;
    });
    if (memory === undefined) return null;
    return {
      memoryId: memory.id,
      title: memory.title ?? address,
      url: address,
      selection: copy?.selection ?? '',
      outcome: {
        kind: 'there',
        address: `${server}/${workspaceSlug}?memory=${memory.id}`,
        created: memory.created,
      },
      notes: memory.notes ?? '',
      tags: memory.tags,
      spaceId: memory.spaceId,
    };
  } catch (error) {
    console.info('extension: what is saved of this page is not known', error);
    return null;
  }
}

/** @param quote becomes the notes. @throws Error with a sentence for the person */
export async function savePage(account: Account, tab: chrome.tabs.Tab, quote = ''): Promise<Page> {
  const whole = await copyOf(tab, true);
  const copy = whole === undefined || isSmallEnough(whole.html) ? whole : await copyOf(tab, false);
  const url = copy?.url ?? tab.url;
  if (url === undefined || !isWebAddress(url)) throw new Error('Only pages of the web can be saved');
  const memoryId = newId('memory');
  const title = (copy?.title ?? tab.title ?? '').trim() || url;
  const spaceId = await spaceOf(account);
  const html = copy !== undefined && isSmallEnough(copy.html) ? copy.html : null;
  await addSave({
    kind: 'save',
    account: accountKey(account),
    memoryId,
    workspaceId: account.workspaceId,
    url,
    title,
    html,
    spaceId,
    isTried: false,
    ...(quote !== '' && { notes: quote }),
  });
  const failure = await sendWaiting(account);
  const page = { memoryId, title, url, selection: copy?.selection ?? '', notes: quote, tags: [], spaceId };
  const saved = savedAs(memoryId);
  if (saved !== undefined) {
    const { memory, isDuplicate } = saved;
    return {
      ...page,
      memoryId: memory.id,
      title: memory.title ?? title,
      outcome: {
        kind: isDuplicate ? 'known' : 'saved',
        address: `${account.server}/${account.workspaceSlug}?memory=${memory.id}`,
        created: memory.created,
      },
      notes: memory.notes ?? '',
      tags: memory.tags,
      spaceId: memory.spaceId,
    };
  }
  const rows = await waitingOf(accountKey(account));
  const row = rows.find((each) => each.memoryId === memoryId);
  return {
    ...page,
    outcome:
      row?.seq !== undefined && row.problem !== undefined
        ? { kind: 'refused', seq: row.seq, reason: row.problem }
        : { kind: 'waiting', isSignedOut: failure === 'signed_out' },
  };
}

const isWebAddress = (url: string): boolean => /^https?:/.test(url);

/** Undefined for pages that no extension may read, such as the browser's own and its viewer of PDFs. */
async function copyOf({ id }: chrome.tabs.Tab, withLooks: boolean): Promise<PageCopy | undefined> {
  if (id === undefined) return undefined;
  try {
    const [frame] = await chrome.scripting.executeScript({
      target: { tabId: id },
      func: copyPage,
      args: [withLooks],
    });
    return frame?.result;
  } catch (error) {
    console.info('extension: this page cannot be read', error);
    return undefined;
  }
}

function isSmallEnough(html: string): boolean {
  return new TextEncoder().encode(html).length <= CAPTURE.pageBytesMax;
}

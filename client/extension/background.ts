/**
 * The part of the extension that outlives its popup: it signs in, saves, and sends waiting entries, also after the browser was
 * closed. The browser ends it when it is idle and starts it for the next event.
 */
import { PRODUCT_NAME } from '#shared/constants.ts';
import { quoteOfSelection } from '#shared/memories/quotes.ts';
import { accountKey, forgetAccount, keepSpace, spaceOf, store, stored, type Account } from './account.ts';
import { callsAt } from './calls.ts';
import type { Message, MessageName, Messages, Offered, Reply, State } from './messages.ts';
import { findPage, savePage } from './save-page.ts';
import { savedAs, sendWaiting, takeBack } from './send-waiting.ts';
import { endConnection, signIn, withToken } from './sign-in.ts';
import { failureOf } from './waiting.ts';
import { addChoices, endWaiting, retryWaiting, waitingOf } from './waiting-store.ts';

const RETRY_ALARM = 'send-waiting';
const RETRY_MINUTES = 1;
const LISTED_MAX = 100;
const MENU = { page: 'save-page', quote: 'save-quote' } as const;

async function currentAccount(): Promise<Account> {
  const account = await stored('account');
  if (account === undefined) throw new Error('Sign in first');
  return account;
}

async function shownState(): Promise<State> {
  const account = await stored('account');
  const waiting = account === undefined ? [] : await waitingOf(accountKey(account));
  return {
    server: account?.server ?? (await stored('server')) ?? EXTENSION_SERVER,
    account: account
      ? {
          server: account.server,
          userName: account.userName,
          workspaceName: account.workspaceName,
          isConnected: account.tokens !== undefined,
        }
      : null,
    waiting: waiting.map(({ seq = 0, kind, memoryId, title, problem = null }) => ({
      seq,
      kind,
      memoryId,
      title,
      problem,
    })),
  };
}

/** Shows the number of waiting entries on the button, and repeats later while there are any. */
async function showWaiting(): Promise<void> {
  const { account, waiting } = await shownState();
  await chrome.action.setBadgeText({ text: waiting.length === 0 ? '' : String(waiting.length) });
  await chrome.action.setBadgeBackgroundColor({ color: '#92400e' });
  const canBeSent = account?.isConnected === true && waiting.some(({ problem }) => problem === null);
  if (!canBeSent) await chrome.alarms.clear(RETRY_ALARM);
  else if ((await chrome.alarms.get(RETRY_ALARM)) === undefined)
    await chrome.alarms.create(RETRY_ALARM, { periodInMinutes: RETRY_MINUTES });
}

async function sendAgain(): Promise<void> {
  const account = await stored('account');
  if (account !== undefined) await sendWaiting(account);
  await showWaiting();
}

async function offered(account: Account): Promise<Offered> {
  const { workspaceId } = account;
  const spaceId = await spaceOf(account);
  try {
    return await withToken(account, async (token) => {
      const call = callsAt(account.server, token);
      const params = { workspaceId };
      const [spaces, tags] = await Promise.all([
        call('space.list', { params, query: { perPage: LISTED_MAX, orderBy: 'name', order: 'asc' } }),
        call('tag.list', { params, query: { perPage: LISTED_MAX } }),
      ]);
      return {
        spaces: spaces.result.map(({ id, name }) => ({ id, name })),
        tags: tags.result.map(({ tag }) => tag),
        spaceId,
      };
    });
  } catch (error) {
    // Without a connection a page is saved as usual, only without choices.
    if (typeof failureOf(error) === 'string') return { spaces: [], tags: [], spaceId };
    throw error;
  }
}

async function signOut(): Promise<void> {
  const account = await stored('account');
  await forgetAccount();
  if (account === undefined) return;
  try {
    await endConnection(account);
  } catch (error) {
    throw new Error(
      `You are signed out here, but ${account.server} could not be told. Disconnect the extension under Settings → Apps.`,
      { cause: error },
    );
  }
}

const answers: { [N in MessageName]: (given: Messages[N]['ask']) => Promise<Messages[N]['answer']> } = {
  state: shownState,
  offered: async () => offered(await currentAccount()),
  sign_in: async ({ server }) => {
    await store('server', server);
    await signIn(server);
    await sendAgain();
    return shownState();
  },
  sign_out: async () => {
    await signOut();
    return shownState();
  },
  find: async ({ tabId }) => findPage(await currentAccount(), await chrome.tabs.get(tabId)),
  save: async ({ tabId }) => savePage(await currentAccount(), await chrome.tabs.get(tabId)),
  send: async () => {
    await sendAgain();
    return shownState();
  },
  change: async ({ memoryId, title, choices }) => {
    const account = await currentAccount();
    const { workspaceId } = account;
    if (choices.spaceId !== undefined) await keepSpace(account, choices.spaceId);
    // The page may have arrived while its popup was open, perhaps in a memory that was there.
    const id = savedAs(memoryId)?.memory.id ?? memoryId;
    await addChoices({ account: accountKey(account), memoryId: id, workspaceId, title }, choices);
    await sendAgain();
    return shownState();
  },
  undo: async ({ memoryId }) => {
    await takeBack(await currentAccount(), memoryId);
    return shownState();
  },
  retry: async ({ seq, choices }) => {
    const account = await currentAccount();
    if (choices?.spaceId !== undefined) await keepSpace(account, choices.spaceId);
    await retryWaiting(seq, choices);
    await sendAgain();
    return shownState();
  },
  discard: async ({ seq }) => {
    await endWaiting(seq);
    return shownState();
  },
};

async function replyTo<N extends MessageName>(message: { name: N } & Messages[N]['ask']): Promise<Reply<N>> {
  try {
    return { answer: await answers[message.name](message) };
  } catch (error) {
    console.info('extension:', error);
    return { problem: sentenceOf(error) };
  } finally {
    await showWaiting();
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof TypeError) return 'The server could not be reached';
  const { error_description: reason }: { error_description?: unknown } = Object(error);
  if (typeof reason === 'string') return reason;
  return error instanceof Error ? error.message : String(error);
}

chrome.runtime.onMessage.addListener((message: Message, sender, reply) => {
  // Only our own pages may send messages.
  if (sender.origin !== location.origin) return false;
  void replyTo(message).then(reply);
  return true;
});

// Scripts in pages need no access to it. Firefox has no such setting.
void chrome.storage.local.setAccessLevel?.({ accessLevel: 'TRUSTED_CONTEXTS' });

chrome.runtime.onInstalled.addListener(() => {
  chrome.contextMenus.create({ id: MENU.page, title: `Save page to ${PRODUCT_NAME}`, contexts: ['page'] });
  chrome.contextMenus.create({
    id: MENU.quote,
    title: `Save selection to ${PRODUCT_NAME} as a quote`,
    contexts: ['selection'],
  });
});

/** A sign on the button for what became of a page, until the tab shows another one. */
const SIGNS = { saved: '✓', known: '✓', there: '✓', waiting: '…', refused: '!' } as const;

async function saveFromMenu(tab: chrome.tabs.Tab, quote: string): Promise<void> {
  const show = (text: string) => chrome.action.setBadgeText({ tabId: tab.id, text });
  try {
    const { outcome } = await savePage(await currentAccount(), tab, quote);
    await showWaiting();
    await show(SIGNS[outcome.kind]);
  } catch (error) {
    console.info('extension:', error);
    await show('!');
  }
}

chrome.contextMenus.onClicked.addListener(({ menuItemId, selectionText = '' }, tab) => {
  if (tab) void saveFromMenu(tab, menuItemId === MENU.quote ? quoteOfSelection(selectionText) : '');
});

chrome.alarms.onAlarm.addListener(() => void sendAgain());
chrome.runtime.onStartup.addListener(() => void sendAgain());
addEventListener('online', () => void sendAgain());

/**
 * Updates the page of a public thread: an answer is shown as plain text while it is written, and finished messages are copied
 * from the page that the server renders. Connected only while the page is visible.
 */
/** After the stream has ended, or was refused because too many are open. */
const AGAIN_MS = 60_000;

interface Followed {
  path: string;
}

/** The page as it is now, drawn by the server. Parsed by the browser without running anything in it. */
function fetchPage(): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', location.href);
    request.setRequestHeader('accept', 'text/html');
    request.responseType = 'document';
    request.addEventListener('load', () => {
      if (request.status === 200 && request.response instanceof Document) resolve(request.response);
      else reject(new Error(`The page answered ${request.status}`));
    });
    request.addEventListener('error', () => reject(new Error('The page did not arrive')));
    request.send();
  });
}

/**
 * Adds new messages, replaces the one rewritten under the id `renewed`, and removes deleted ones; others are not touched.
 * Returns whether answers were added.
 */
function takeOver(from: Element, to: Element, renewed: string): boolean {
  const [next, present] = [from.querySelector('ol'), to.querySelector('ol')];
  if (next === null || present === null) {
    to.replaceChildren(...[...from.childNodes].map((node) => document.importNode(node, true)));
    return to.querySelector('[data-rating]') !== null;
  }
  const ids = new Set([...next.children].map(({ id }) => id));
  for (const item of Array.from(present.children)) if (!ids.has(item.id)) item.remove();
  const other = [...next.children].find(({ id }) => id === renewed);
  if (other) document.getElementById(renewed)?.replaceWith(document.importNode(other, true));
  const added = [...next.children].filter(({ id }) => document.getElementById(id) === null);
  present.append(...added.map((item) => document.importNode(item, true)));
  return [...added, ...(other ? [other] : [])].some((item) => item.querySelector('[data-rating]') !== null);
}

/** Brings the page up to date; a message is drawn again only under the id `renewed`. `onDrawn` is called afterwards. */
export async function showWhatIsNew(region: Element, renewed: string, onDrawn: () => void): Promise<void> {
  const page = await fetchPage();
  let hasAnswers = false;
  for (const part of ['[data-messages]', '[data-links]']) {
    const [from, to] = [page.querySelector(part), region.querySelector(part)];
    if (from && to) hasAnswers = takeOver(from, to, renewed) || hasAnswers;
  }
  onDrawn();
  if (hasAnswers) (await import('#client/threads/visitor-rating.ts')).watchRatings();
}

/** Markdown without the signs that would be read as words; the finished answer is drawn by the server. */
function plainWords(text: string): string {
  return text
    .replaceAll(/\\([!-/:-@[-`{-~]|$)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/^#{1,6} /gm, '');
}

/** The answer that is being written. */
class Draft {
  readonly #frame: HTMLElement | null;
  readonly #news: Element | null;
  #id = '';
  #text = '';

  constructor(region: Element) {
    this.#frame = region.querySelector<HTMLElement>('[data-draft]');
    this.#news = region.querySelector('[data-news]');
  }

  write({ id, seq, text }: { id: string; seq: number; text: string }): void {
    if (id !== this.#id) this.#news?.replaceChildren('An answer is being written.');
    this.#text = (id === this.#id ? this.#text : '').slice(0, seq) + text;
    this.#id = id;
    this.#frame?.querySelector('[data-text]')?.replaceChildren(plainWords(this.#text));
    if (this.#frame) this.#frame.hidden = false;
  }

  /** The page has its message now. */
  end(id: string): void {
    if (id === this.#id) this.#news?.replaceChildren('The answer has arrived.');
    if (id === this.#id || id === '') this.#clear();
  }

  #clear(): void {
    this.#id = '';
    if (this.#frame) this.#frame.hidden = true;
  }
}

/** `onDrawn` is called when messages were added. */
export function followPublicThread(region: HTMLElement, onDrawn: () => void): void {
  const { path }: Followed = JSON.parse(region.dataset['follow'] ?? '{}');
  const draft = new Draft(region);
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let drawing = Promise.resolve();
  /** Sequential: the page that is requested last is the newest. */
  const draw = (id: string) => {
    drawing = drawing
      .then(() => showWhatIsNew(region, id, onDrawn))
      .then(() => draft.end(id))
      .catch((failure: unknown) => console.info('threads: what is new could not be shown', failure));
  };
  const close = () => {
    clearTimeout(again);
    source?.close();
    source = undefined;
  };
  const retryLater = () => {
    close();
    draft.end('');
    // With jitter: the streams of many readers end together when a server does.
    if (!isOver) again = setTimeout(open, AGAIN_MS * (1 + Math.random()));
  };
  const open = () => {
    if (source !== undefined || isOver || document.hidden) return;
    clearTimeout(again);
    const stream = new EventSource(path);
    source = stream;
    const on = <Data>(event: string, run: (data: Data) => void) =>
      stream.addEventListener(event, ({ data }: MessageEvent<string>) => run(JSON.parse(data)));
    on<{ messages: { id: string }[] }>('snapshot', ({ messages }) => {
      const last = messages.at(-1);
      if (last && document.getElementById(last.id) === null) draw(last.id);
    });
    on<{ message: { id: string } }>('message.created', ({ message }) => draw(message.id));
    on<Parameters<Draft['write']>[0]>('message.delta', (delta) => draft.write(delta));
    on<{ reason: string }>('end', ({ reason }) => {
      isOver = reason === 'gone';
      retryLater();
    });
    stream.addEventListener('error', () => {
      // Otherwise the browser connects again by itself.
      if (stream.readyState === EventSource.CLOSED) retryLater();
    });
  };
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
  open();
}

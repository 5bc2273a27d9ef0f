/** Shows the response to a call that a reader of the API reference has sent: status, time, headers and body. */
import type { ApiOperation } from '#shared/openapi/operations.ts';
import { formatCount } from '#shared/english.ts';

/** Headers that are useful to a reader, in this order. */
const SHOWN_HEADERS = [
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'etag',
  'idempotent-replayed',
  'www-authenticate',
];

/** More would render slowly and is too long to read. */
const SHOWN_CHARACTERS = 100_000;

type Part = (name: string) => HTMLElement;

/** Hides the result of an earlier call. */
export function clearAnswer(part: Part): void {
  part('answer').hidden = true;
  for (const name of ['status', 'words', 'headers', 'text']) part(name).replaceChildren();
}

/** Renders a response as it arrives; resolves when it is complete. @throws TypeError when the connection breaks */
export async function showAnswer(
  part: Part,
  response: Response,
  { answer, ms }: { answer: ApiOperation['answer']; ms: number },
): Promise<void> {
  const { status, statusText, ok, headers } = response;
  part('answer').hidden = false;
  const line = part('status');
  line.toggleAttribute('data-failed', !ok);
  line.textContent = `${[status, statusText].filter(Boolean).join(' ')} in ${Math.round(ms)} ms`;
  part('headers').replaceChildren(
    ...SHOWN_HEADERS.flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [element('dt', name), element('dd', value)];
    }),
  );
  const text = part('text');
  if (ok && answer === 'events') return showEvents(text, response);
  if (ok && answer === 'file') {
    const { size, type } = await response.blob();
    text.textContent = `${formatCount(size)} bytes${type === '' ? '' : ` of ${type}`}`;
    return undefined;
  }
  const body = await response.text();
  const parsed = parse(body);
  const { error }: { error?: { detail?: unknown } } = Object(parsed);
  if (!ok && typeof error?.detail === 'string') part('words').textContent = error.detail;
  text.textContent = shortened(parsed === undefined ? body || 'No body' : JSON.stringify(parsed, null, 2));
  return undefined;
}

async function showEvents(place: HTMLElement, { body }: Response): Promise<void> {
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    place.textContent = `${place.textContent ?? ''}${value}`.slice(-SHOWN_CHARACTERS);
  }
}

function element(tag: 'dt' | 'dd', text: string): HTMLElement {
  const made = document.createElement(tag);
  made.className = tag === 'dt' ? 'text-ink-muted' : 'font-mono wrap-anywhere';
  made.textContent = text;
  return made;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text of another type is shown as it is.
    return undefined;
  }
}

function shortened(text: string): string {
  if (text.length <= SHOWN_CHARACTERS) return text;
  return `${text.slice(0, SHOWN_CHARACTERS)}\n… ${formatCount(text.length - SHOWN_CHARACTERS)} more characters`;
}

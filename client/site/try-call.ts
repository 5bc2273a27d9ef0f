/**
 * "Try it" in the API reference: opens a form below the samples of a call and sends its values, with the key of the reader. The
 * parameters of a call come from the server's OpenAPI document. Loaded when a form is first opened.
 */
import { type ApiOperation, operationsOf } from '#shared/openapi/operations.ts';
import { clearAnswer, showAnswer } from '#client/site/call-answer.ts';
import { type CallRequest, keyLabelOf, requestFrom } from '#client/site/call-request.ts';

let loading: Promise<Map<string, ApiOperation>> | undefined;

async function loadOperations(): Promise<Map<string, ApiOperation>> {
  const response = await fetch('/v1/openapi.json', { credentials: 'omit' });
  if (!response.ok) throw new Error(`The OpenAPI document was not sent: ${response.status}`);
  const document: object = await response.json();
  return new Map(operationsOf(document).map((operation) => [operation.name, operation]));
}

/** The operation of this name; a failed load is tried again by the next reader's press. */
async function operationNamed(name: string): Promise<ApiOperation> {
  loading ??= loadOperations().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const operation = (await loading).get(name);
  if (!operation) throw new Error(`The OpenAPI document has no ${name}`);
  return operation;
}

const opening = new WeakSet<HTMLElement>();
const forms = new WeakMap<HTMLElement, HTMLFormElement>();

/** Opens the form of the button's call, or closes it without losing its values. @throws when it cannot be loaded */
export async function toggleCallForm(button: HTMLElement): Promise<void> {
  if (opening.has(button)) return;
  const known = forms.get(button);
  if (known) return setOpen(button, known, known.hidden !== false);
  opening.add(button);
  button.ariaBusy = 'true';
  try {
    const operation = await operationNamed(button.dataset['call'] ?? '');
    const form = createForm(operation, button);
    button.closest('.samples')?.append(form);
    forms.set(button, form);
    setOpen(button, form, true);
  } finally {
    button.ariaBusy = null;
    opening.delete(button);
  }
}

function setOpen(button: HTMLElement, form: HTMLFormElement, isOpen: boolean): void {
  form.hidden = !isOpen;
  button.ariaExpanded = String(isOpen);
  if (isOpen) form.querySelector<HTMLElement>('input:not([type=file]), textarea, button')?.focus();
}

function partOf(root: ParentNode) {
  return (name: string): HTMLElement => {
    const found = root.querySelector<HTMLElement>(`[data-part="${name}"]`);
    if (!found) throw new Error(`The form has no ${name}`);
    return found;
  };
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | HTMLTextAreaElement | undefined {
  const found = form.elements.namedItem(name);
  return found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement ? found : undefined;
}

const valueOf = (form: HTMLFormElement, name: string): string => fieldOf(form, name)?.value ?? '';

function createForm(operation: ApiOperation, button: HTMLElement): HTMLFormElement {
  const template = document.querySelector<HTMLTemplateElement>('template#call-form');
  const copy = template?.content.cloneNode(true);
  if (!(copy instanceof DocumentFragment)) throw new Error('The page has no form for calls');
  const form = copy.querySelector('form');
  const field = partOf(copy)('field');
  if (!form) throw new Error('The page has no form for calls');
  const { method, path, params, query, queryNames, body } = operation;
  form.ariaLabel = `Try ${method} ${path}`;
  const part = partOf(form);
  prepareKey(form, operation);
  const needed = [
    ...Object.entries(params).map(([name, value]) => createField(field, `params ${name}`, value)),
    ...Object.entries(query).map(([name, value]) => createField(field, `query ${name}`, value)),
  ];
  const optional = queryNames.filter((name) => query[name] === undefined);
  part('fields').append(...needed);
  part('query').append(...optional.map((name) => createField(field, `query ${name}`, '')));
  if (optional.length === 0) part('more').remove();
  if (body) {
    const text = JSON.stringify(body.value, null, 2);
    const area = part('body').querySelector('textarea');
    if (area) area.value = text;
    if (area) area.rows = Math.min(text.split('\n').length + 1, 16);
  } else part('body').remove();
  if (body?.type !== 'file') part('file').remove();
  watchForm(form, operation, button);
  return form;
}

/** Its name is the place and the name, because a path and a query may use the same word. */
function createField(template: HTMLElement, name: string, value: string): Node {
  const field = template.cloneNode(true);
  const input = field instanceof HTMLElement ? field.querySelector('input') : null;
  if (!(field instanceof HTMLElement) || !input) throw new Error('The form has no field');
  input.name = name;
  input.value = value;
  partOf(field)('name').textContent = name.slice(name.indexOf(' ') + 1);
  return field;
}

function prepareKey(form: HTMLFormElement, operation: ApiOperation): void {
  const part = partOf(form);
  const label = keyLabelOf(operation);
  if (label === undefined) return part('key').remove();
  const { proof, scopes } = operation;
  part('key-label').textContent = label.charAt(0).toUpperCase() + label.slice(1);
  part('key-hint').textContent =
    proof === 'session'
      ? 'The token that POST /v1/auth/login returns; API keys cannot make this call.'
      : `Needs the scope ${scopes.join(' and ')}.`;
  const input = fieldOf(form, 'key');
  if (input) input.value = readKey(proof);
  part('forget').addEventListener('click', () => {
    writeKey(proof, '');
    // Every open form has a copy of the key.
    for (const other of document.querySelectorAll<HTMLInputElement>('.samples input[name="key"]'))
      other.value = '';
    input?.focus();
  });
  let asked = '';
  const take = async () => {
    const key = input?.value.trim() ?? '';
    writeKey(proof, key);
    if (key === '' || key === asked) return;
    asked = key;
    await fillWorkspace(form, operation, key);
  };
  input?.addEventListener('change', () => void take());
  void take();
}

/** Replaces the example workspace with the first workspace of the key; the reader may enter another. */
async function fillWorkspace(
  form: HTMLFormElement,
  { params, body }: ApiOperation,
  key: string,
): Promise<void> {
  const example = params['workspaceId'] ?? Object(body?.value).workspaceId;
  if (typeof example !== 'string') return;
  try {
    const response = await fetch('/v1/workspaces', {
      credentials: 'omit',
      headers: { accept: 'application/json', authorization: `Bearer ${key}` },
    });
    if (!response.ok) return;
    const { result }: { result: { id: string }[] } = await response.json();
    const id = result[0]?.id;
    if (id === undefined) return;
    for (const name of ['params workspaceId', 'body']) {
      const field = fieldOf(form, name);
      if (field) field.value = field.value.replaceAll(example, id);
    }
  } catch (error) {
    // The field still shows the example; sending the call reports the connection error.
    console.info('The workspaces of the key could not be read', error);
  }
}

function watchForm(form: HTMLFormElement, operation: ApiOperation, button: HTMLElement): void {
  const part = partOf(form);
  let running: AbortController | undefined;
  const run = async ({ path, init }: CallRequest) => {
    part('confirm').hidden = true;
    running = new AbortController();
    const { signal } = running;
    setBusy(part, true);
    clearAnswer(part);
    const began = performance.now();
    try {
      const response = await fetch(path, { ...init, signal });
      await showAnswer(part, response, { answer: operation.answer, ms: performance.now() - began });
    } catch (error) {
      if (!signal.aborted) part('problem').textContent = wordsFor(error);
    } finally {
      running = undefined;
      setBusy(part, false);
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (running) return;
    const request = readRequest(form, operation);
    if (!request) return;
    if (operation.method !== 'DELETE') return void run(request);
    askFirst(part, request.path);
  });
  part('confirmed').addEventListener('click', () => {
    const request = readRequest(form, operation);
    if (request && !running) void run(request);
  });
  part('cancel').addEventListener('click', () => {
    part('confirm').hidden = true;
    part('send').focus();
  });
  part('stop').addEventListener('click', () => running?.abort());
  form.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    setOpen(button, form, false);
    button.focus();
  });
}

function askFirst(part: (name: string) => HTMLElement, path: string): void {
  part('question').textContent = `Send DELETE ${path}? It acts on your real data.`;
  part('confirm').hidden = false;
  part('cancel').focus();
}

/** The request of the form; undefined after the field that is wrong was marked and focused. */
function readRequest(form: HTMLFormElement, operation: ApiOperation): CallRequest | undefined {
  const problem = partOf(form)('problem');
  const read = (place: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, valueOf(form, `${place} ${name}`)]));
  const file = form.elements.namedItem('file');
  const request = requestFrom(operation, {
    key: valueOf(form, 'key'),
    params: read('params', Object.keys(operation.params)),
    query: read('query', operation.queryNames),
    body: valueOf(form, 'body'),
    file: file instanceof HTMLInputElement ? file.files?.[0] : undefined,
  });
  for (const element of form.querySelectorAll('[aria-invalid]')) element.removeAttribute('aria-invalid');
  problem.textContent = '';
  if ('path' in request) return request;
  problem.textContent = request.words;
  const field = fieldOf(form, request.field);
  field?.setAttribute('aria-invalid', 'true');
  field?.focus();
  return undefined;
}

function setBusy(part: (name: string) => HTMLElement, isBusy: boolean): void {
  part('send').ariaBusy = String(isBusy);
  part('send').ariaDisabled = String(isBusy);
  part('stop').hidden = !isBusy;
  if (isBusy) part('problem').textContent = '';
}

function wordsFor(error: unknown): string {
  console.info('The call was not sent', error);
  return navigator.onLine
    ? 'The server cannot be reached. Check your connection and send the request again.'
    : 'You are offline. Connect to the internet and send the request again.';
}

const nameOf = (kind: string): string => `loci-try-${kind}`;

/**
 * The keys with which a reader tries calls are in this tab alone, deleted when it closes or on request, and sent to this
 * server only. The stored key of a kind; empty when there is none, or where the browser forbids storage.
 */
function readKey(kind: string): string {
  try {
    return sessionStorage.getItem(nameOf(kind)) ?? '';
  } catch {
    // Access itself throws where storage is blocked: the key then stays in its field alone.
    return '';
  }
}

/** Stores a key for this tab, or forgets it when empty. */
function writeKey(kind: string, key: string): void {
  try {
    if (key === '') sessionStorage.removeItem(nameOf(kind));
    else sessionStorage.setItem(nameOf(kind), key);
  } catch {
    // As in readKey.
  }
}

/**
 * The search over docs and posts: arrives with its index when a visitor searches for the first time. Works without a network
 * once the content is on the device.
 */
import MiniSearch from 'minisearch';
import { DOCS_SEARCH } from '#shared/site/docs-search.ts';
import { rankSections } from '#client/site/rank-sections.ts';
import indexAddress from '../.content-collections/site/search.json?url';

const MOST_RESULTS = 12;
const SNIPPET_BEFORE = 40;
const SNIPPET_LENGTH = 140;

interface Hit {
  path: string;
  title: string;
  section: string;
  snippet: string;
}

/** Shown before anything is typed. */
const FIRST_STEPS: Hit[] = [
  {
    path: '/docs',
    title: 'Start here',
    section: '',
    snippet: 'Keep your first memory in five minutes.',
  },
  {
    path: '/docs/import',
    title: 'Import',
    section: '',
    snippet: 'Markdown notes, bookmarks and exports of other products.',
  },
  {
    path: '/docs/search',
    title: 'Search',
    section: '',
    snippet: 'Every operator with an example.',
  },
  {
    path: '/docs/self-hosting',
    title: 'Self-hosting',
    section: '',
    snippet: 'Run it on your own machine.',
  },
];

/** The piece of text around the question, or else around the first matching word. */
function snippetOf(text: string, query: string, terms: string[]): string {
  const lower = text.toLowerCase();
  const places = [query.trim().toLowerCase(), ...terms].map((words) => lower.indexOf(words));
  const at = places.find((place) => place >= 0) ?? 0;
  const start = Math.max(0, at - SNIPPET_BEFORE);
  const cut = text.slice(start, start + SNIPPET_LENGTH).trim();
  return `${start > 0 ? '…' : ''}${cut}${start + SNIPPET_LENGTH < text.length ? '…' : ''}`;
}

let index: MiniSearch | undefined;

async function loadIndex(): Promise<void> {
  const answer = await fetch(indexAddress);
  if (!answer.ok) throw new Error(`The index was answered with ${answer.status}`);
  index = MiniSearch.loadJSON(await answer.text(), {
    ...DOCS_SEARCH,
    fields: [...DOCS_SEARCH.fields],
    storeFields: [...DOCS_SEARCH.storeFields],
  });
}

function search(query: string): Hit[] {
  if (query.trim() === '') return FIRST_STEPS;
  if (!index) return [];
  return rankSections(index, query, MOST_RESULTS).map(({ path, title, section, text, terms }) => ({
    path,
    title,
    section,
    snippet: snippetOf(text, query, terms),
  }));
}

interface Parts {
  dialog: HTMLDialogElement;
  input: HTMLInputElement;
  list: HTMLElement;
  empty: HTMLElement;
  row: HTMLTemplateElement;
}

function partsOf(dialog: HTMLDialogElement): Parts {
  const input = dialog.querySelector('input');
  const list = dialog.querySelector<HTMLElement>('[role=listbox]');
  const empty = dialog.querySelector<HTMLElement>('[data-empty]');
  const row = dialog.querySelector('template');
  if (!input || !list || !empty || !row) throw new Error('The search has not all its parts');
  return { dialog, input, list, empty, row };
}

const optionsOf = ({ list }: Parts): HTMLElement[] => [
  ...list.querySelectorAll<HTMLElement>('[role=option]'),
];

function select({ input }: Parts, options: readonly HTMLElement[], chosen: HTMLElement | undefined): void {
  for (const option of options) option.ariaSelected = String(option === chosen);
  if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
  else input.removeAttribute('aria-activedescendant');
}

function optionFor({ row }: Parts, hit: Hit, at: number): HTMLElement {
  const option = row.content.cloneNode(true).firstChild;
  if (!(option instanceof HTMLElement)) throw new Error('The search has no row');
  option.id = `search-result-${at}`;
  option.dataset['path'] = hit.path;
  option.querySelector('[data-title]')?.append(hit.title);
  if (hit.section !== '') option.querySelector('[data-section]')?.append(` › ${hit.section}`);
  option.querySelector('[data-snippet]')?.append(hit.snippet);
  return option;
}

function draw(parts: Parts): void {
  const query = parts.input.value;
  const hits = search(query);
  const options = hits.map((hit, at) => optionFor(parts, hit, at));
  parts.list.replaceChildren(...options);
  parts.list.hidden = hits.length === 0;
  parts.empty.hidden = hits.length > 0;
  parts.empty.replaceChildren(
    hits.length > 0 ? '' : index ? `Nothing about “${query}”` : 'Loading the index…',
  );
  select(parts, options, options[0]);
}

/** Where a key leads from the selected row; undefined for keys that select nothing. */
function targetOf(key: string, at: number, last: number): number | undefined {
  if (key === 'ArrowDown') return Math.min(at + 1, last);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? last : undefined;
}

function go({ dialog, input }: Parts, option: HTMLElement | undefined): void {
  const path = option?.dataset['path'];
  if (path === undefined) return;
  dialog.close();
  input.value = '';
  location.assign(path);
}

function listen(parts: Parts): void {
  const { input, list } = parts;
  const optionAt = ({ target }: Event): HTMLElement | undefined =>
    (target instanceof Element && target.closest<HTMLElement>('[role=option]')) || undefined;
  input.addEventListener('input', () => draw(parts));
  input.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const options = optionsOf(parts);
    const at = options.findIndex(({ ariaSelected }) => ariaSelected === 'true');
    const next = targetOf(event.key, at, options.length - 1);
    if (event.key === 'Enter') go(parts, options[at]);
    if (event.key === 'Enter' || next !== undefined) event.preventDefault();
    if (next === undefined || options.length === 0) return;
    select(parts, options, options[next]);
    options[next]?.scrollIntoView({ block: 'nearest' });
  });
  list.addEventListener('pointermove', (event) => {
    const option = optionAt(event);
    if (option && option.ariaSelected !== 'true') select(parts, optionsOf(parts), option);
  });
  list.addEventListener('click', (event) => go(parts, optionAt(event)));
}

let parts: Parts | undefined;

/** Shows the search in the open dialog, with the text typed there. */
export function showSiteSearch(dialog: HTMLDialogElement): void {
  if (!parts) {
    parts = partsOf(dialog);
    listen(parts);
  }
  const current = parts;
  draw(current);
  if (index) return;
  loadIndex().then(
    () => draw(current),
    (error: unknown) => console.warn('The search index could not be loaded', error),
  );
}

/** Draws the short messages of the toast store on public pages; the store removes them when their time is over. */
import { TOAST } from '#client/ui/timing.ts';
import { closeToast, type Toast, toastStore } from '#client/shell/toasts.ts';
import { buttonStyle } from '#client/ui/button-style.ts';

interface Shown {
  revision: number;
  card: HTMLElement;
}

const shown = new Map<string, Shown>();

function fill(card: Element, name: string, text: string): void {
  const element = card.querySelector(`[data-${name}]`);
  if (text === '') element?.remove();
  else element?.replaceChildren(text);
}

/** Five seconds, paused while the pointer or the focus is on the message. */
function countDown(id: string, card: HTMLElement): void {
  let timer: ReturnType<typeof setTimeout>;
  const start = () => {
    clearTimeout(timer);
    timer = setTimeout(() => closeToast(id), TOAST.closeMs);
  };
  const stop = () => clearTimeout(timer);
  for (const type of ['pointerenter', 'focusin']) card.addEventListener(type, stop);
  for (const type of ['pointerleave', 'focusout']) card.addEventListener(type, start);
  start();
}

function create(toast: Toast): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>('template#toast');
  const card = template?.content.cloneNode(true).firstChild;
  if (!(card instanceof HTMLElement)) throw new Error('The page has no template of a message');
  card.dataset['kind'] = toast.kind;
  fill(card, 'title', toast.title);
  fill(card, 'description', toast.description ?? '');
  const close = card.querySelector('button');
  close?.addEventListener('click', () => closeToast(toast.id));
  for (const { label, run } of toast.actions) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = buttonStyle({ size: 'sm' });
    button.append(label);
    button.addEventListener('click', () => {
      run();
      closeToast(toast.id);
    });
    close?.before(button);
  }
  countDown(toast.id, card);
  return card;
}

/** Above an open dialog, and inside it: what is outside cannot be reached. */
function raise(list: HTMLElement): void {
  const place = document.querySelector('dialog:modal') ?? document.body;
  if (list.parentElement !== place) place.append(list);
  list.hidePopover();
  list.showPopover();
}

function draw(list: HTMLElement): void {
  const toasts = toastStore.get();
  for (const [id, { card }] of shown) {
    if (toasts.some((toast) => toast.id === id)) continue;
    card.remove();
    shown.delete(id);
  }
  for (const toast of toasts) {
    const known = shown.get(toast.id);
    const card = known?.revision === toast.revision ? known.card : create(toast);
    card.dataset['state'] = toast.open ? 'open' : 'closed';
    if (card === known?.card) continue;
    raise(list);
    if (known) known.card.replaceWith(card);
    else list.append(card);
    shown.set(toast.id, { revision: toast.revision, card });
  }
  if (toasts.length === 0) list.hidePopover();
}

/** From now on. */
export function watchToasts(): void {
  const list = document.getElementById('toasts');
  if (list) toastStore.subscribe(() => draw(list));
}

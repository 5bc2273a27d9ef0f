/**
 * The keys of the rows of spaces in the sidebar: which row has the focus, and where the arrow keys lead from there.
 */
import type { KeyboardEvent } from 'react';
import { isId, type Id } from '#shared/ids.ts';

/** The space whose row contains the element. */
export function spaceIdAt(target: EventTarget | null): Id<'space'> | undefined {
  const id =
    target instanceof Element ? target.closest<HTMLElement>('[data-space]')?.dataset['space'] : undefined;
  return isId('space', id) ? id : undefined;
}

/** Whether a row of the sidebar has the focus. */
export function isOnRow(): boolean {
  return spaceIdAt(document.activeElement) !== undefined;
}

/** Moves the focus between the rows of all sections, and to the menu of a row and back. */
export function stepThrough(event: KeyboardEvent<HTMLElement>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const { currentTarget, target } = event;
  const links = [...currentTarget.querySelectorAll<HTMLElement>('[data-space] a')];
  const row = target instanceof Element ? target.closest('[data-space]') : null;
  const at = links.findIndex((link) => row?.contains(link));
  const isLink = at >= 0 && links[at] === target;
  const menu = row?.querySelector<HTMLElement>('button');
  const to = new Map<string, HTMLElement | null | undefined>([
    ['ArrowDown', isLink ? links[at + 1] : target instanceof HTMLInputElement ? links[0] : undefined],
    ['ArrowUp', isLink ? links[at - 1] : undefined],
    ['Home', isLink ? links[0] : undefined],
    ['End', isLink ? links.at(-1) : undefined],
    ['ArrowRight', isLink ? menu : undefined],
    ['ArrowLeft', target === menu ? links[at] : undefined],
  ]).get(event.key);
  if (!to) return;
  event.preventDefault();
  to.focus();
}

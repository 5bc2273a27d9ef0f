// Placeholders for content that a snapshot leaves out.
import type { Element } from 'hast';
import { webAddress } from './snapshot-pictures.ts';

const NAME_MAX = 300;

const EMBEDDED: Readonly<Record<string, string>> = {
  iframe: 'Embedded page',
  object: 'Embedded content',
  embed: 'Embedded content',
  video: 'Video',
  audio: 'Audio',
};

/**
 * Replaces an element by a note.
 * @param name the page's label of it; empty without one
 */
export function leaveOut(element: Element, what: string, name: string | undefined): void {
  const { className, id, href, target, rel } = element.properties;
  const isLink = element.tagName === 'a';
  element.tagName = isLink ? 'a' : 'span';
  element.children = [];
  element.properties = { ...(id != null && { id }), ...(className != null && { className }) };
  if (name?.trim() === '') return;
  if (isLink) Object.assign(element.properties, { href, target, rel });
  element.properties = { ...element.properties, dataLeftOut: '' };
  const called = name === undefined ? '' : `: ${name.trim().slice(0, NAME_MAX).toWellFormed()}`;
  element.children = [{ type: 'text', value: `${what} not saved${called}` }];
}

/** Replaces a frame, video or the like by a link to it. Does nothing for other elements. */
export function nameEmbedded(element: Element, base: string): void {
  const what = EMBEDDED[element.tagName];
  if (what === undefined) return;
  const { src, data, title, ariaLabel } = element.properties;
  const inside = element.children.find((child) => child.type === 'element' && child.tagName === 'source');
  const address = src ?? data ?? (inside?.type === 'element' ? inside.properties['src'] : undefined);
  const url = typeof address === 'string' ? webAddress(address.trim(), base) : undefined;
  const name = [title, ariaLabel].find((text) => typeof text === 'string' && text.trim() !== '');
  element.properties =
    url === undefined ? {} : { href: url, target: '_blank', rel: ['noreferrer', 'noopener'] };
  element.tagName = url === undefined ? 'span' : 'a';
  leaveOut(element, what, typeof name === 'string' ? name : undefined);
}

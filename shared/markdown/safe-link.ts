/**
 * Which addresses text from people may link to, and how such a link is marked.
 * Apart from the rules of Markdown, because public pages that show no Markdown need only this.
 */

const LINKS = /^(?:https?:\/\/|mailto:)/i;

/** The address when it is http, https, mailto or a place on the same page; else undefined. */
export function safeLink(address: string | undefined): string | undefined {
  if (address === undefined) return undefined;
  const trimmed = address.trim();
  if (trimmed.startsWith('#')) return trimmed;
  if (!LINKS.test(trimmed)) return undefined;
  return trimmed.toLowerCase().startsWith('mailto:') || URL.canParse(trimmed) ? trimmed : undefined;
}

/** `rel` of every link in foreign text. */
export const LINK_REL = 'noopener noreferrer nofollow ugc';

// The only writer of Location headers: redirects stay at our own origin, but for those back to an OAuth client and on
// to an identity provider.
import type { Response } from 'express';

/**
 * Sends the browser to another of our own addresses. Browsers read a backslash as a slash, so a raw one at the start
 * would name another host; a path that begins with two slashes would too.
 */
export function redirectTo(res: Response, status: number, path: string): void {
  res.redirect(status, ownAddress(path));
}

/** Sends the browser back to an OAuth client, at an address that was checked against those it registered. */
export function redirectToClient(res: Response, address: string): void {
  res.redirect(303, address);
}

/** Sends the browser to an identity provider of the configuration. */
export function redirectToProvider(res: Response, url: URL): void {
  res.redirect(303, url.href);
}

function ownAddress(path: string): string {
  return `/${path.replaceAll('\\', '%5C').replace(/^\/+/, '')}`;
}

// The long notes of a memory for code outside components (export, copying), through the page's own cache.
import { findBody, type Body, type BodyAddress } from '#client/replica/body-download.ts';
import { openedReplica } from '#client/replica/open-replica.ts';

export type { Body } from '#client/replica/body-download.ts';

/** The text, or why it cannot be had now. */
export async function loadBody(address: BodyAddress): Promise<Body> {
  return findBody(openedReplica()?.bodies, address);
}

/** Follows the changes of the workspace and prints each under the name of its webhook event, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import { LociError } from '#shared/api-client.ts';
import { eventOf } from '#shared/webhooks/event-of.ts';
import { UsageError, type Given, type Row } from './session.ts';
import { SignInError } from './sign-in.ts';

const PAUSE_MS = 2_000;

export async function listen({ values, open }: Given): Promise<never> {
  const print = values['json'] === true ? printJson : printLine;
  let cursor: unknown;
  let isReachable: boolean | undefined;
  for (;;) {
    let hasMore: unknown;
    try {
      // Anew each time, because the token of a sign-in lasts an hour.
      const { call, workspaceId } = await open();
      const query = cursor === undefined ? { from: 'now' } : { cursor };
      const page: Row = Object((await call('change.list', { params: { workspaceId }, query })).result);
      const changes: Row[] = Object(page['changes']);
      changes.forEach(print);
      ({ cursor, hasMore } = page);
      if (isReachable !== true) process.stderr.write('Listening; Ctrl-C ends it\n');
      isReachable = true;
    } catch (error) {
      if (isLasting(error)) throw error;
      const isLost = error instanceof LociError && error.status === 410;
      if (isLost) cursor = undefined;
      else if (isReachable !== false) process.stderr.write('The server cannot be reached; trying again\n');
      isReachable = isLost;
      if (isLost) process.stderr.write('Some changes were missed\n');
    }
    if (hasMore !== true) await sleep(PAUSE_MS);
  }
}

/** Whether another attempt would fail the same way. */
function isLasting(error: unknown): boolean {
  if (error instanceof UsageError || error instanceof SignInError) return true;
  return error instanceof LociError && error.status < 500 && ![408, 410, 429].includes(error.status);
}

function typeOf({ kind, action, isNew }: Row): string {
  return eventOf({
    kind: String(kind),
    action: action === 'delete' ? action : 'put',
    isNew: isNew === true,
  });
}

function printLine(change: Row): void {
  const { title, name, url }: Row = Object(change['row']);
  const words = [typeOf(change), change['id'], title ?? name ?? url];
  process.stdout.write(`${words.filter((word) => typeof word === 'string').join('  ')}\n`);
}

function printJson(change: Row): void {
  const { id, row } = change;
  process.stdout.write(`${JSON.stringify({ type: typeOf(change), data: { id, row } })}\n`);
}

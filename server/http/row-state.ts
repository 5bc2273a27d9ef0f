/**
 * ETag and If-Match for every row of the API, derived from the table of calls. The ETag is a hash of what the GET of the row
 * returns to this caller, so every change is detected, and no row needs its own version.
 */
import { createHash } from 'node:crypto';
import type { AnyEndpoint } from '#shared/define/endpoint.ts';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import type { Precondition } from '../db/transaction.ts';
import type { Reply } from './call.ts';

const ETAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

/** A strong validator of a row as JSON. */
function etagOf(row: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(row)).digest('base64url');
  return `"${digest.slice(0, 27)}"`;
}

export interface StatedCall {
  endpoints: Readonly<Record<string, AnyEndpoint>>;
  /** The GET that reads what a PUT, PATCH or DELETE changes, by name. */
  stateCalls: ReadonlyMap<string, string>;
  name: string;
}

/** The reply with the ETag of the row, where the call reads one or returns the whole row after a change. */
export function withEtag({ endpoints, stateCalls, name }: StatedCall, reply: Reply): Reply {
  const endpoint = endpoints[name];
  const state = stateCalls.get(name);
  const returnsRow = state !== undefined && endpoint?.result === endpoints[state]?.result;
  if (!returnsRow && !isStateCall(stateCalls, name)) return reply;
  return { ...reply, headers: { ETag: etagOf(reply.result), ...reply.headers } };
}

const stateNames = new WeakMap<ReadonlyMap<string, string>, ReadonlySet<string>>();

function isStateCall(stateCalls: ReadonlyMap<string, string>, name: string): boolean {
  const names = stateNames.get(stateCalls) ?? new Set(stateCalls.values());
  stateNames.set(stateCalls, names);
  return names.has(name);
}

/** Precondition of If-Match, checked before the call and again, under its lock, by the first write transaction. */
export interface Guarded {
  ifMatch: string;
  /** Runs the GET of the row for the same caller with this context; undefined when the call has no GET. */
  readState: ((context: Context) => Promise<unknown>) | undefined;
}

/**
 * The context in which a guarded change runs. @throws precondition_failed when the row is another than the caller has
 * read; bad_request for a header that is no list of entity tags (RFC 9110, section 13.1.1)
 */
export async function guardState(context: Context, { ifMatch, readState }: Guarded): Promise<Context> {
  const wanted = ifMatch.split(',').map((tag) => tag.trim());
  if (ifMatch.trim() !== '*' && !wanted.every((tag) => ETAG.test(tag))) {
    throw new AppError(
      'bad_request',
      'If-Match: send the ETag of the row as it was received, with its quotes',
    );
  }
  if (readState === undefined) {
    throw new AppError(
      'precondition_failed',
      'What this call changes has no ETag; repeat it without If-Match',
    );
  }
  const check = async (at: Context): Promise<void> => {
    const found = etagOf(await readState(at));
    if (ifMatch.trim() === '*' || wanted.includes(found)) return;
    throw new AppError(
      'precondition_failed',
      'It has changed since you read it; read it again and repeat the change',
    );
  };
  await check(context);
  return { ...context, precondition: onFirstWrite((db) => check({ ...context, db })) };
}

function onFirstWrite(check: (db: Context['db']) => Promise<void>): Precondition {
  let isTaken = false;
  return {
    take() {
      if (isTaken) return undefined;
      isTaken = true;
      return check;
    },
  };
}

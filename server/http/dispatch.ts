/**
 * One call from raw input to reply, the same for HTTP and for calls from inside the process: token, limit, path, input,
 * membership, repeated requests, handler. It knows rows and handlers as a table and nothing of Express.
 */
import { z } from 'zod';
import type { AnyEndpoint, RateClass } from '#shared/define/endpoint.ts';
import { AppError, describeIssues } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { identify, memberOf, refuseQueryTokens, type Identified } from './actor.ts';
import type { Member, Person, RawCall, Reply, RequestFacts } from './call.ts';
import { replayable } from './idempotency.ts';
import type { RateLimits } from './rate-limit.ts';

/** A handler whose types the row has already proven. */
export type AnyHandler = (call: {
  context: Context;
  params: unknown;
  query: unknown;
  body: unknown;
  actor: Person | Member | undefined;
  request: RequestFacts;
  limits: RateLimits;
}) => Promise<Reply> | Reply;

/** Rows and handlers by name. */
export interface Api {
  context: Context;
  limits: RateLimits;
  endpoints: Readonly<Record<string, AnyEndpoint>>;
  handlers: Readonly<Record<string, AnyHandler>>;
}

/** Runs one call. @throws AppError for everything the caller did wrong */
export async function dispatch(api: Api, name: string, given: RawCall): Promise<Reply> {
  const endpoint = api.endpoints[name];
  const handler = api.handlers[name];
  if (!endpoint || !handler) throw new Error(`There is no endpoint ${name}`);
  const { context } = api;
  refuseQueryTokens(given.query);
  const identified =
    endpoint.auth === 'public'
      ? undefined
      : await identify(context, given.request.header('authorization'), workspaceAskedFor(endpoint, given));
  const person = identified?.person;
  const headers = await api.limits.take(rateOf(endpoint), {
    sessionId: person?.sessionId,
    address: given.request.address,
  });
  const raw = await withUpload(given);
  const params = parsePath(endpoint, raw.params);
  const inPath = endpoint.auth === 'member' ? params.workspaceId : undefined;
  const member =
    identified && isId('workspace', inPath)
      ? await memberOf(context, identified.person, inPath, identified.membership)
      : undefined;
  const about = identified?.membership;
  const counted: Counted = {
    workspaceId: about && about.position !== null ? about.workspaceId : undefined,
    isSearch: endpoint.rate === 'search',
  };
  const reply = await counting(context, counted, async () => {
    const query = parseInput(endpoint.query, raw.query, 'query');
    const body = parseInput(endpoint.body, raw.body ?? {}, 'body');
    const asMember =
      endpoint.auth === 'member' ? (member ?? (await memberFromBody(context, identified, body))) : undefined;
    if (asMember) counted.workspaceId = asMember.workspaceId;
    const actor = asMember ?? person;
    const run = async (context: Context) =>
      handler({ context, params, query, body, actor, request: raw.request, limits: api.limits });
    return replayable({ context, endpoint, raw, userId: person?.userId }, run);
  });
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

interface Counted {
  /** Where the caller is a member and what the call is about; known late for uploads. */
  workspaceId: string | undefined;
  isSearch: boolean;
}

/** Counts a call for the usage page of its workspace. */
async function counting({ calls }: Context, counted: Counted, work: () => Promise<Reply>): Promise<Reply> {
  const count = (isError: boolean) => {
    if (counted.workspaceId !== undefined)
      calls.count(counted.workspaceId, { isSearch: counted.isSearch, isError });
  };
  try {
    const reply = await work();
    count(false);
    return reply;
  } catch (error) {
    count(true);
    throw error;
  }
}

/** Reads the upload, if this call has one. */
async function withUpload({ readUpload, ...raw }: RawCall): Promise<RawCall> {
  if (!readUpload) return raw;
  const { payload, file } = await readUpload();
  return { ...raw, body: payload, request: { ...raw.request, file } };
}

function rateOf(endpoint: AnyEndpoint): RateClass {
  return endpoint.rate ?? (endpoint.method === 'GET' ? 'read' : 'write');
}

/** A path that names nothing of the right kind is an unknown address. */
function parsePath(endpoint: AnyEndpoint, raw: unknown): Record<string, unknown> {
  const parsed = (endpoint.params ?? z.object({})).safeParse(raw);
  if (!parsed.success) throw new AppError('not_found', 'There is nothing at this address');
  return parsed.data;
}

function parseInput(schema: z.ZodType | undefined, raw: unknown, what: 'query' | 'body'): unknown {
  if (!schema) return what === 'query' ? {} : undefined;
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const code = what === 'query' ? 'bad_request' : 'invalid';
  throw new AppError(code, describeIssues(parsed.error).replace(/^body:/, `${what}:`));
}

const namesWorkspace = z.object({
  workspaceId: z.custom<Member['workspaceId']>((id) => isId('workspace', id)),
});

/** The workspace that an unchecked call names, so that its membership is read together with the session. */
function workspaceAskedFor(
  endpoint: AnyEndpoint,
  { params, body }: RawCall,
): Member['workspaceId'] | undefined {
  if (endpoint.auth !== 'member') return undefined;
  const named = namesWorkspace.safeParse(isId('workspace', params['workspaceId']) ? params : body);
  return named.success ? named.data.workspaceId : undefined;
}

async function memberFromBody(
  context: Context,
  identified: Identified | undefined,
  body: unknown,
): Promise<Member> {
  const named = namesWorkspace.safeParse(body);
  if (!identified || !named.success) throw new Error('A member call names its workspace in path or body');
  return memberOf(context, identified.person, named.data.workspaceId, identified.membership);
}

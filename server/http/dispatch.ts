/**
 * One call from raw input to reply, the same for HTTP and for calls from inside the process: credential, limit, scope, path,
 * input, membership, repeated requests, handler. Rows and handlers are its table; it is independent of Express.
 */
import { z } from 'zod';
import { isMemberCall, rateClassOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { AppError, describeIssues } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Member, Person, RawCall, Reply, RequestFacts } from './call.ts';
import {
  authorizeCall,
  carriesKey,
  identify,
  memberOf,
  refuseQueryTokens,
  type Identified,
} from './credentials.ts';
import type { RequestOrigin } from '../request-origin.ts';
import { replayable } from './idempotency.ts';
import { guardState, withEtag } from './row-state.ts';
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

export interface Api {
  context: Context;
  limits: RateLimits;
  endpoints: Readonly<Record<string, AnyEndpoint>>;
  handlers: Readonly<Record<string, AnyHandler>>;
  /** The GET that reads what a PUT, PATCH or DELETE changes, by name. */
  stateCalls: ReadonlyMap<string, string>;
}

/** Runs one call. @throws AppError for every error of the caller */
export async function dispatch(api: Api, name: string, given: RawCall): Promise<Reply> {
  const endpoint = api.endpoints[name];
  const handler = api.handlers[name];
  if (!endpoint || !handler) throw new Error(`There is no endpoint ${name}`);
  const { context } = api;
  refuseQueryTokens(given.query);
  const identified = endpoint.auth === 'public' ? undefined : await identifyCaller(api, endpoint, given);
  const person = identified?.person;
  const headers = await api.limits.take(rateClassOf(endpoint), {
    credential: person?.credential,
    address: given.request.address,
  });
  if (person) authorizeCall(endpoint, person);
  const raw = await withUpload(given);
  const params = parsePath(endpoint, raw.params);
  const inPath = isMemberCall(endpoint) ? params.workspaceId : undefined;
  const member =
    identified && isId('workspace', inPath)
      ? await memberOf(context, identified.person, inPath, {
          known: identified.membership,
          guests: endpoint.guests,
        })
      : undefined;
  const about = identified?.membership;
  const counted: Counted = {
    workspaceId: about && about.position !== null ? about.workspaceId : undefined,
    isSearch: endpoint.rate === 'search',
    keyId: person?.credential.kind === 'api_key' ? person.credential.id : undefined,
  };
  const reply = await counting(context, counted, async () => {
    const query = parseQuery(endpoint, raw.query);
    const body = parseBody(endpoint.body, raw.body === undefined ? {} : raw.body);
    const asMember = isMemberCall(endpoint)
      ? (member ?? (await memberFromBody(context, { identified, body, guests: endpoint.guests })))
      : undefined;
    if (asMember) counted.workspaceId = asMember.workspaceId;
    await identified?.recordUse?.();
    const actor = asMember ?? person;
    const { request } = raw;
    const call = { params, query, body, actor, request, limits: api.limits };
    const run = async (context: Context) => {
      const ifMatch = endpoint.method === 'GET' ? undefined : request.header('if-match');
      const guarded =
        ifMatch === undefined || endpoint.method === 'POST'
          ? context
          : await guardState(context, { ifMatch, readState: stateReader(api, name, call) });
      return withEtag({ ...api, name }, await handler({ ...call, context: guarded }));
    };
    const ofRequest = { ...context, origin: originOf(person, request) };
    return replayable({ context: ofRequest, endpoint, raw, userId: person?.userId }, run);
  });
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

/** Reads the row that a call changes, for the same caller; undefined when no call reads it. */
function stateReader(
  { handlers, stateCalls }: Api,
  name: string,
  call: Omit<Parameters<AnyHandler>[0], 'context'>,
): ((context: Context) => Promise<unknown>) | undefined {
  const read = handlers[stateCalls.get(name) ?? ''];
  return read && (async (context) => (await read({ ...call, context, query: {}, body: undefined })).result);
}

/** Keys and tokens are short enough to be worth guessing, so failed look-ups are limited by address. */
function identifyCaller(
  { context, limits }: Api,
  endpoint: AnyEndpoint,
  given: RawCall,
): Promise<Identified> {
  const authorization = given.request.header('authorization');
  const asked = { workspaceId: workspaceAskedFor(endpoint, given), audience: given.audience };
  const look = () => identify(context, authorization, asked);
  return carriesKey(authorization) ? limits.lookUp(given.request.address, look) : look();
}

function originOf(person: Person | undefined, { address, header }: RequestFacts): RequestOrigin {
  const credential = person?.credential;
  const isSession = credential?.kind === 'session';
  return {
    address,
    userAgent: header('user-agent') ?? null,
    via: credential?.kind ?? null,
    sessionId: isSession ? credential.id : null,
    impersonator: isSession ? credential.impersonator : null,
  };
}

interface Counted {
  /** Where the caller is a member and what the call is about; known late for uploads. */
  workspaceId: string | undefined;
  isSearch: boolean;
  /** The API key that makes the call, if one does. */
  keyId: string | undefined;
}

/** Counts a call for the usage page of its workspace. */
async function counting({ calls }: Context, counted: Counted, work: () => Promise<Reply>): Promise<Reply> {
  const count = (isError: boolean) => {
    if (counted.workspaceId !== undefined)
      calls.count(counted.workspaceId, { isSearch: counted.isSearch, isError, keyId: counted.keyId });
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

/** A path with invalid parameters is an unknown address. */
function parsePath(endpoint: AnyEndpoint, raw: unknown): Record<string, unknown> {
  const parsed = (endpoint.params ?? z.object({})).safeParse(raw);
  if (!parsed.success || Object.values(parsed.data).some(holdsNull))
    throw new AppError('not_found', 'There is nothing at this address');
  return parsed.data;
}

/** No text of the database holds NUL, and comparing with one fails. */
function holdsNull(value: unknown): boolean {
  return String(value).includes('\0');
}

const NO_PARAMETERS = z.object({});

/** A mistyped filter would return everything, so parameters that a call does not have are refused. */
function parseQuery({ query: schema = NO_PARAMETERS }: AnyEndpoint, raw: RawCall['query']): unknown {
  for (const [name, value] of Object.entries(raw)) {
    if (!Object.hasOwn(schema.shape, name))
      throw new AppError('bad_request', `${name}: This call has no such parameter`);
    if (holdsNull(value)) throw new AppError('bad_request', `${name}: Must not hold a null byte`);
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw new AppError('bad_request', describeIssues(parsed.error, 'query'));
  return parsed.data;
}

function parseBody(schema: z.ZodType | undefined, raw: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(raw);
  if (!parsed.success) throw new AppError('invalid', describeIssues(parsed.error, 'body'));
  return parsed.data;
}

const namesWorkspace = z.object({
  workspaceId: z.custom<Member['workspaceId']>((id) => isId('workspace', id)),
});

/** The workspace that an unchecked call names, so that its membership is read together with the session. */
function workspaceAskedFor(
  endpoint: AnyEndpoint,
  { params, body }: RawCall,
): Member['workspaceId'] | undefined {
  if (!isMemberCall(endpoint)) return undefined;
  const named = namesWorkspace.safeParse(isId('workspace', params['workspaceId']) ? params : body);
  return named.success ? named.data.workspaceId : undefined;
}

async function memberFromBody(
  context: Context,
  {
    identified,
    body,
    guests,
  }: { identified: Identified | undefined; body: unknown; guests?: true | undefined },
): Promise<Member> {
  const named = namesWorkspace.safeParse(body);
  if (!identified || !named.success) throw new Error('A member call names its workspace in path or body');
  return memberOf(context, identified.person, named.data.workspaceId, {
    known: identified.membership,
    guests,
  });
}

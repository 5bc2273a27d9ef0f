/**
 * One call from raw input to reply, the same for HTTP and for calls from inside the process, as a list of steps. Rows and
 * handlers are its table; it is independent of Express.
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

/** A handler whose types the row has already proven; no reply stands for a result of null. */
export type AnyHandler = (call: {
  context: Context;
  params: unknown;
  query: unknown;
  body: unknown;
  actor: Person | Member | undefined;
  request: RequestFacts;
  limits: RateLimits;
}) => Promise<Reply | undefined> | Reply;

export interface Api {
  context: Context;
  limits: RateLimits;
  endpoints: Readonly<Record<string, AnyEndpoint>>;
  handlers: Readonly<Record<string, AnyHandler>>;
  /** The GET that reads what a PUT, PATCH or DELETE changes, by name. */
  stateCalls: ReadonlyMap<string, string>;
}

/** A call on its way through the steps, and what they have found out so far. */
interface Call {
  readonly api: Api;
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  raw: RawCall;
  identified?: Identified;
  /** Headers that say how many calls are left. */
  quota?: Record<string, string>;
  params: Record<string, unknown>;
  query?: unknown;
  body?: unknown;
  member?: Member;
}

type Step = (call: Call) => unknown;

/** Who may call. Refusals here do not count as calls of the workspace. */
const ADMISSION: readonly Step[] = [
  ({ raw }) => refuseQueryTokens(raw.query),
  identifyCaller,
  takeQuota,
  ({ endpoint, identified }) => identified && authorizeCall(endpoint, identified.person),
  readUpload,
  parsePath,
  joinWorkspace('params'),
];

/** What is checked before the handler runs, for calls that count. */
const PREPARATION: readonly Step[] = [
  parseQuery,
  parseBody,
  joinWorkspace('body'),
  ({ identified }) => identified?.recordUse?.(),
];

/** Runs one call. @throws AppError for every error of the caller */
export async function dispatch(api: Api, name: string, raw: RawCall): Promise<Reply> {
  const endpoint = api.endpoints[name];
  const handler = api.handlers[name];
  if (!endpoint || !handler) throw new Error(`There is no endpoint ${name}`);
  const call: Call = { api, name, endpoint, raw, params: {} };
  for (const step of ADMISSION) await step(call);
  const reply = await counting(call, async () => {
    for (const step of PREPARATION) await step(call);
    const context = { ...api.context, origin: originOf(call) };
    const attempt = { context, endpoint, raw: call.raw, userId: call.identified?.person.userId };
    return replayable(attempt, (guarded) => handle(call, handler, guarded));
  });
  return { ...reply, headers: { ...call.quota, ...reply.headers } };
}

async function handle(call: Call, handler: AnyHandler, context: Context): Promise<Reply> {
  const { api, name, endpoint, raw, params, query, body, member, identified } = call;
  const { request } = raw;
  const actor = member ?? identified?.person;
  const given = { params, query, body, actor, request, limits: api.limits };
  const read = api.handlers[api.stateCalls.get(name) ?? ''];
  const ofRow = { ...given, query: {}, body: undefined };
  const readState = read && (async (context: Context) => (await read({ ...ofRow, context }))?.result);
  const ifMatch = ['GET', 'POST'].includes(endpoint.method) ? undefined : request.header('if-match');
  const guarded = ifMatch === undefined ? context : await guardState(context, { ifMatch, readState });
  const reply = await handler({ ...given, context: guarded });
  return withEtag({ ...api, name }, reply ?? { result: null });
}

/** Keys and tokens are short enough to be worth guessing, so failed look-ups are limited by address. */
async function identifyCaller(call: Call): Promise<void> {
  const { api, endpoint, raw } = call;
  if (endpoint.auth === 'public') return;
  const authorization = raw.request.header('authorization');
  const asked = { workspaceId: workspaceAskedFor(endpoint, raw), audience: raw.audience };
  const look = () => identify(api.context, authorization, asked);
  call.identified = await (carriesKey(authorization) ? api.limits.lookUp(raw.request.address, look) : look());
}

async function takeQuota(call: Call): Promise<void> {
  const { api, endpoint, raw, identified } = call;
  const caller = { credential: identified?.person.credential, address: raw.request.address };
  call.quota = await api.limits.take(rateClassOf(endpoint), caller);
}

function originOf({ identified, raw }: Call): RequestOrigin {
  const { address, header } = raw.request;
  const credential = identified?.person.credential;
  const isSession = credential?.kind === 'session';
  return {
    address,
    userAgent: header('user-agent') ?? null,
    via: credential?.kind ?? null,
    sessionId: isSession ? credential.id : null,
    impersonator: isSession ? credential.impersonator : null,
  };
}

/** Counts a call for the usage page of the workspace where the caller is a member and that the call is about. */
async function counting(call: Call, work: () => Promise<Reply>): Promise<Reply> {
  const { api, endpoint, identified } = call;
  const credential = identified?.person.credential;
  const keyId = credential?.kind === 'api_key' ? credential.id : undefined;
  const count = (isError: boolean) => {
    const about = call.member ?? identified?.membership;
    if (about === undefined || about.position === null) return;
    api.context.calls.count(about.workspaceId, { isSearch: endpoint.rate === 'search', isError, keyId });
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

async function readUpload(call: Call): Promise<void> {
  const { readUpload: read, ...raw } = call.raw;
  if (!read) return;
  const { payload, file } = await read();
  call.raw = { ...raw, body: payload, request: { ...raw.request, file } };
}

/** A path with invalid parameters is an unknown address. */
function parsePath(call: Call): void {
  const parsed = (call.endpoint.params ?? NO_PARAMETERS).safeParse(call.raw.params);
  if (!parsed.success || Object.values(parsed.data).some(holdsNull))
    throw new AppError('not_found', 'There is nothing at this address');
  call.params = parsed.data;
}

/** No text of the database holds NUL, and comparing with one fails. */
function holdsNull(value: unknown): boolean {
  return String(value).includes('\0');
}

const NO_PARAMETERS = z.object({});

/** A mistyped filter would return everything, so parameters that a call does not have are refused. */
function parseQuery(call: Call): void {
  const { query: schema = NO_PARAMETERS } = call.endpoint;
  for (const [name, value] of Object.entries(call.raw.query)) {
    if (!Object.hasOwn(schema.shape, name))
      throw new AppError('bad_request', `${name}: This call has no such parameter`);
    if (holdsNull(value)) throw new AppError('bad_request', `${name}: Must not hold a null byte`);
  }
  const parsed = schema.safeParse(call.raw.query);
  if (!parsed.success) throw new AppError('bad_request', describeIssues(parsed.error, 'query'));
  call.query = parsed.data;
}

function parseBody(call: Call): void {
  const { endpoint, raw } = call;
  const parsed = endpoint.body?.safeParse(raw.body === undefined ? {} : raw.body);
  if (parsed && !parsed.success) throw new AppError('invalid', describeIssues(parsed.error, 'body'));
  call.body = parsed?.data;
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

/** Reads the membership in the workspace that a member call names, in its path or else in its body. */
function joinWorkspace(place: 'params' | 'body'): Step {
  return async (call) => {
    const { api, endpoint, identified } = call;
    if (!isMemberCall(endpoint) || call.member) return;
    const named = namesWorkspace.safeParse(call[place]).data;
    if (identified && named) {
      const { person, membership } = identified;
      const options = { known: membership, guests: endpoint.guests };
      call.member = await memberOf(api.context, person, named.workspaceId, options);
    } else if (place === 'body') throw new Error('A member call names its workspace in path or body');
  };
}

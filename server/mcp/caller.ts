// Runs tools and resources as the holder of a key or token. Every call goes through the dispatcher of REST, which checks
// credential, scopes, spaces, rate limits and input.
import type { ResultOf } from '#shared/define/endpoint.ts';
import { ENDPOINTS, type EndpointName } from '#shared/endpoints.ts';
import { AppError } from '#shared/errors.ts';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import type { Person, RequestFacts } from '../http/call.ts';
import { authorizeCall } from '../http/credentials.ts';
import { dispatch, type Api } from '../http/dispatch.ts';
import { outOfSpace } from '../http/health.ts';
import { mcpResourceOf } from '../oauth/service.ts';

/** Unchecked input of a call, as it would arrive over HTTP. */
interface CallInput {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
}

interface Answered<N extends EndpointName> {
  result: ResultOf<(typeof ENDPOINTS)[N]>;
  /** Results on all pages; 0 for calls that are not lists. */
  total: number;
  /** The memory existed before the call. */
  duplicate: boolean;
}

/** The holder of a key or token, in its one workspace. */
export interface Caller {
  context: Context;
  workspaceId: Id<'workspace'>;
  /** Whether scopes and chosen spaces allow these calls. */
  may(names: readonly EndpointName[]): boolean;
  /** @throws AppError as the call over REST would */
  call<N extends EndpointName>(name: N, input: CallInput): Promise<Answered<N>>;
}

export interface CallerParts {
  api: Api;
  person: Person;
  workspaceId: Id<'workspace'>;
  request: RequestFacts;
  hasRoom: () => Promise<boolean>;
}

export function createCaller({ api, person, workspaceId, request, hasRoom }: CallerParts): Caller {
  return {
    context: api.context,
    workspaceId,
    may: (names) => names.every((name) => isAllowed(name, person)),
    async call<N extends EndpointName>(name: N, { params = {}, query = {}, body }: CallInput) {
      const { method, ...row } = ENDPOINTS[name];
      const takesRoom = method !== 'GET' && !('spaceless' in row);
      if (takesRoom && !(await hasRoom())) throw outOfSpace();
      const audience = mcpResourceOf(api.context.config);
      const reply = await dispatch(api, name, { params, query, body, request, audience });
      const meta: Readonly<Record<string, unknown>> = reply.meta ?? {};
      const total = typeof meta['total'] === 'number' ? meta['total'] : 0;
      // `satisfies Handlers` has checked the handler's type against this row.
      return { result: reply.result as Answered<N>['result'], total, duplicate: meta['duplicate'] === true };
    },
  };
}

function isAllowed(name: EndpointName, person: Person): boolean {
  try {
    authorizeCall(ENDPOINTS[name], person);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'forbidden') return false;
    throw error;
  }
}

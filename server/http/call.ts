/**
 * Arguments and result of a REST handler, derived from its endpoint row: a feature writes one small function per row and the
 * compiler checks parameters, actor and result. Types only.
 */
import type {
  AnyEndpoint,
  BodyOf,
  EndpointAuth,
  ListMeta,
  ParamsOf,
  QueryOf,
  ResultOf,
} from '#shared/define/endpoint.ts';
import type { Scope } from '#shared/api-keys/scopes.ts';
import type { Row } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import type { Actor } from '#shared/permissions.ts';
import type { Context } from '../context.ts';
import type { Multipart, UploadedFile } from './multipart.ts';
import type { RateLimits } from './rate-limit.ts';

/** A person at a browser or an application of ours. */
interface SessionCredential {
  kind: 'session';
  id: string;
  /** Staff user behind an impersonated session. */
  impersonator: Id<'user'> | null;
}

/** Limits of keys and tokens: one workspace, and less than their person may do. */
interface Grant {
  workspaceId: Id<'workspace'>;
  scopes: readonly Scope[];
}

/** Authenticated credential; `id` is never the secret itself. */
export type Credential =
  | SessionCredential
  | ({ kind: 'api_key'; id: Id<'api_key'> } & Grant)
  | ({ kind: 'oauth_token'; id: string; clientId: string } & Grant);

export interface Person {
  userId: Id<'user'>;
  user: Row<'user'>;
  credential: Credential;
  /** The spaces that the credential is limited to; null = no limit. */
  spaceIds: readonly Id<'space'>[] | null;
}

export interface SessionPerson extends Person {
  credential: SessionCredential;
  spaceIds: null;
}

/** A person in the workspace that the call names; guests only where the row of the call allows them. */
export interface Member extends Person {
  workspaceId: Id<'workspace'>;
  position: Actor['position'];
}

interface Actors {
  public: undefined;
  session: SessionPerson;
  session_member: SessionPerson & Member;
  user: Person;
  member: Member;
}
type ActorOf<A extends EndpointAuth> = Actors[A];

/** Facts about the request that are neither input nor actor. */
export interface RequestFacts {
  /** Network address of the caller; null for calls from inside this process. */
  address: string | null;
  header(name: string): string | undefined;
  /** The file of an upload; only rows with `multipart` have one. */
  file?: UploadedFile | undefined;
  /** The body as it arrives; only rows with `bytes` have one. Ends with an error when the connection does. */
  bytes?: AsyncIterable<Buffer> | undefined;
  /** Called for each public resource whose visit is counted; a page served from the cache counts it without the call. */
  onVisit?: ((resourceId: string) => void) | undefined;
}

export interface RawCall {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  request: RequestFacts;
  /**
   * The resource that a token must be bound to (RFC 8707) when that is not the API. API keys are accepted too, sessions
   * are not.
   */
  audience?: string;
  /** Reads an upload, once the caller is known; its payload replaces `body`. */
  readUpload?: () => Promise<Multipart>;
}

interface Call<E extends AnyEndpoint> {
  context: Context;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  actor: ActorOf<E['auth']>;
  request: RequestFacts;
  limits: RateLimits;
}

/** Result of a handler; status and headers only where they differ from the row's defaults. */
export interface Reply<R = unknown> {
  result: R;
  meta?: ListMeta | Record<string, unknown>;
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

type ReplyOf<E extends AnyEndpoint> = E extends { list: true }
  ? Reply<ResultOf<E>> & { meta: ListMeta }
  : Reply<ResultOf<E>>;

/** A call whose result is always null needs no reply. */
type Handler<E extends AnyEndpoint> = (
  call: Call<E>,
) => Promise<ReplyOf<E>> | ReplyOf<E> | ([ResultOf<E>] extends [null] ? Promise<void> : never);

/** One handler per row of a feature; a missing or misnamed one does not compile. */
export type Handlers<T extends Readonly<Record<string, AnyEndpoint>>> = { [N in keyof T]: Handler<T[N]> };

/**
 * What a REST handler receives and answers, derived from its endpoint row: a feature writes one small function per row
 * and the compiler checks parameters, actor and result. No behaviour lives here.
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
import type { Row } from '#shared/entities.ts';
import type { Id } from '#shared/ids.ts';
import type { Position } from '#shared/permissions.ts';
import type { Context } from '../context.ts';
import type { Multipart, UploadedFile } from './multipart.ts';
import type { RateLimits } from './rate-limit.ts';

/** A signed-in person and the session that says so. */
export interface Person {
  userId: Id<'user'>;
  user: Row<'user'>;
  sessionId: string;
  /** Staff user behind an impersonated session. */
  impersonator: Id<'user'> | null;
}

/** A person in the workspace that the call names. */
export interface Member extends Person {
  workspaceId: Id<'workspace'>;
  position: Position;
}

type ActorOf<A extends EndpointAuth> = A extends 'public' ? undefined : A extends 'member' ? Member : Person;

/** Facts about the request that are neither input nor actor. */
export interface RequestFacts {
  /** Network address of the caller; null for calls from inside this process. */
  address: string | null;
  header(name: string): string | undefined;
  /** The file of an upload; only rows with `multipart` have one. */
  file?: UploadedFile | undefined;
}

/** What came in, before anything was checked. */
export interface RawCall {
  params: Readonly<Record<string, unknown>>;
  query: Readonly<Record<string, unknown>>;
  body: unknown;
  request: RequestFacts;
  /** Reads an upload, once the caller is known; its payload takes the place of `body`. */
  readUpload?: () => Promise<Multipart>;
}

/** Everything a handler may use. */
export interface Call<E extends AnyEndpoint> {
  context: Context;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  actor: ActorOf<E['auth']>;
  request: RequestFacts;
  limits: RateLimits;
}

/** What a handler answers; status and headers only where the row's defaults do not fit. */
export interface Reply<R = unknown> {
  result: R;
  meta?: ListMeta | Record<string, unknown>;
  status?: number;
  headers?: Readonly<Record<string, string>>;
}

type ReplyOf<E extends AnyEndpoint> = E extends { list: true }
  ? Reply<ResultOf<E>> & { meta: ListMeta }
  : Reply<ResultOf<E>>;

/** The function behind one row. */
export type Handler<E extends AnyEndpoint> = (call: Call<E>) => Promise<ReplyOf<E>> | ReplyOf<E>;

/** One handler per row of a feature; a missing or misnamed one does not compile. */
export type Handlers<T extends Readonly<Record<string, AnyEndpoint>>> = { [N in keyof T]: Handler<T[N]> };

/** Sends the operations of the OpenAPI document, and collects where the server differs from it. */
import { fillPath } from '#shared/define/fill-path.ts';
import { createRaw, type RawAnswer, type RawRequest } from './agent.ts';
import type { Operation } from './api-document.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

/** What an operation is sent beside the examples of the document, whose ids name nothing. */
export interface Given {
  params?: Record<string, string>;
  /** With its question mark. */
  query?: string;
  body?: unknown;
}

/** Sends an operation; path parameters that are not given are those of the document's examples. */
export function sendOperation(raw: RawRequest, operation: Operation, given: Given = {}): Promise<RawAnswer> {
  const { params = {}, query = '', body } = given;
  const shown = operation.parameters.flatMap(({ name, in: place, example }) =>
    place === 'path' ? [[name, example]] : [],
  );
  const path = fillPath(operation.path, { ...Object.fromEntries(shown), ...params });
  return raw(operation.method, `${path}${query}`, { body });
}

/** Where server and document differ, so that one run names every fault. */
export interface Faults {
  list: string[];
  note(operation: Operation, fault: string | undefined): void;
}

/** An empty collection. */
export function createFaults(): Faults {
  const list: string[] = [];
  return {
    list,
    note({ name }, fault) {
      if (fault !== undefined) list.push(`${name}: ${fault}`);
    },
  };
}

/** A second server on the database of a world, which has counted no calls yet. */
export async function createFresh(world: World, env: WorldOptions['env'] = {}): Promise<World> {
  await world.context.db.deleteFrom('rate_limit').execute();
  const fresh = await createWorld({ database: world.database, env });
  fresh.clock.set(world.clock.now());
  return fresh;
}

/** Requests of one caller that no limit stops: another server takes over when one has counted enough. */
export interface EndlessCaller {
  raw: RawRequest;
  close(): Promise<void>;
}

/** Without a token it is a visitor; `env` is the configuration of the servers. */
export function createEndlessCaller(
  world: World,
  { token, env }: { token?: string; env?: WorldOptions['env'] } = {},
): EndlessCaller {
  let server: World | undefined;
  const close = async () => {
    await server?.close();
    server = undefined;
  };
  const raw: RawRequest = async (...request) => {
    server ??= await createFresh(world, env);
    const answer = await createRaw(server, token)(...request);
    if (answer.status !== 429) return answer;
    await close();
    return raw(...request);
  };
  return { raw, close };
}

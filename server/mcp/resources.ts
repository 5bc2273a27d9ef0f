/** Memories and spaces as resources, with the same content as the tools get_memory and get_space return. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type McpServer,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/server';
import { MCP } from './limits.ts';
import { PAGE_NUMBER_MAX } from '#shared/constants.ts';
import { AppError } from '#shared/errors.ts';
import { isId } from '#shared/ids.ts';
import type { Caller } from './caller.ts';
import { readMemory } from './memory-tools.ts';
import { readSpace } from './space-tools.ts';
import { NOTICE, resourceUri } from './untrusted.ts';

const TYPE = 'application/json';
const URI = /^loci:\/\/(memories|spaces)\/([\w]{1,64})$/;
const CURSOR = /^(spaces|memories)\/(\d{1,5})$/;

type Kind = 'spaces' | 'memories';

const KINDS = {
  spaces: {
    needs: ['space.get', 'space.list'],
    name: 'Space',
    description: 'One space and what is filed in it',
  },
  memories: {
    needs: ['memory.get', 'memory.list', 'memory.page'],
    name: 'Memory',
    description: 'One memory with its notes and the text of its page',
  },
} as const;
const KIND_NAMES: readonly Kind[] = ['spaces', 'memories'];

/** Registers the kinds of resources that the caller may read. */
export function addResources({ server }: McpServer, caller: Caller): void {
  const kinds = KIND_NAMES.filter((kind) => caller.may(KINDS[kind].needs));
  server.registerCapabilities({ resources: {} });
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: kinds.map((kind) => ({
      name: KINDS[kind].name,
      uriTemplate: resourceUri(kind, '{id}'),
      description: KINDS[kind].description,
      mimeType: TYPE,
    })),
  }));
  server.setRequestHandler('resources/list', ({ params }) =>
    protocolErrors(() => listResources(caller, kinds, params?.cursor)),
  );
  server.setRequestHandler('resources/read', ({ params }) =>
    protocolErrors(() => readResource(caller, kinds, params.uri), params.uri),
  );
}

/** One page of one kind; spaces come before memories, newest first. */
async function listResources(caller: Caller, kinds: readonly Kind[], cursor: string | undefined) {
  const [first] = kinds;
  if (first === undefined) return { resources: [] };
  const [, named, number] = CURSOR.exec(cursor ?? `${first}/1`) ?? [];
  const kind = kinds.find((each) => each === named);
  const page = Number(number);
  if (kind === undefined || page < 1 || page > PAGE_NUMBER_MAX) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown cursor');
  }
  const { resources, total } = await pageOfKind(caller, kind, page);
  const following = kinds[kinds.indexOf(kind) + 1];
  const next =
    page * MCP.listMax < total
      ? `${kind}/${page + 1}`
      : following === undefined
        ? undefined
        : `${following}/1`;
  return { resources, ...(next !== undefined && { nextCursor: next }) };
}

async function pageOfKind(
  caller: Caller,
  kind: Kind,
  page: number,
): Promise<{ resources: Resource[]; total: number }> {
  const params = { workspaceId: caller.workspaceId };
  const query = { orderBy: 'updated', order: 'desc', page: String(page), perPage: String(MCP.listMax) };
  if (kind === 'spaces') {
    const { result, total } = await caller.call('space.list', { params, query });
    return { total, resources: result.map(({ id, name }) => resource(kind, id, name)) };
  }
  const { result, total } = await caller.call('memory.list', { params, query });
  return {
    total,
    resources: result.map(({ id, title, url }) => resource(kind, id, title ?? url ?? 'Untitled')),
  };
}

function resource(kind: Kind, id: string, title: string): Resource {
  return { uri: resourceUri(kind, id), name: id, title, mimeType: TYPE };
}

async function readResource(
  caller: Caller,
  kinds: readonly Kind[],
  uri: string,
): Promise<ReadResourceResult> {
  const [, named, id = ''] = URI.exec(uri) ?? [];
  const kind = kinds.find((each) => each === named);
  if (kind === undefined || !isId(kind === 'spaces' ? 'space' : 'memory', id)) {
    throw new ResourceNotFoundError(uri);
  }
  const shown =
    kind === 'spaces'
      ? await readSpace(caller, id, { page: 1, perPage: MCP.listMax })
      : await readMemory(caller, id, { notesFrom: 0, pageFrom: 0 });
  return { contents: [{ uri, mimeType: TYPE, text: JSON.stringify({ notice: NOTICE, ...shown }) }] };
}

/** Converts failures of calls into errors of the protocol. */
async function protocolErrors<T>(run: () => Promise<T>, uri?: string): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'not_found' && uri !== undefined) throw new ResourceNotFoundError(uri);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.detail, { code: error.code });
  }
}

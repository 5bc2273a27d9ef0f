// The public resources of pages, requested from the public API for their other formats. So no feed, picture, card or text can
// show more than the API does.
import { z } from 'zod';
import {
  placedMemory,
  publicMemory,
  type PlacedMemory,
  type PublicMemory,
} from '#shared/memories/public-memory.ts';
import { countMemories } from '#shared/english.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import { matchPage } from '#shared/page-match.ts';
import type { CallApi } from '#shared/site/render.ts';
import { publicSpace, type PublicSpace } from '#shared/spaces/public-space.ts';
import {
  publicMessage,
  publicThread,
  type PublicMessage,
  type PublicThread,
} from '#shared/threads/public-thread.ts';
import { publicWorkspace, type PublicWorkspace } from '#shared/workspaces/public-workspace.ts';
import type { PreviewWords } from './og.ts';

type Params = Readonly<Record<string, string | undefined>>;

/** Undefined for every resource that is not public. */
async function ask<T>(callApi: CallApi, path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(await callApi('GET', path));
  } catch (error) {
    // An invalid id is treated like a resource that is not public.
    if (error instanceof Response && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  }
}

const part = (text = ''): string => encodeURIComponent(text);

/** The space of an address, by the parameters of its page. */
export function findSpace(callApi: CallApi, params: Params): Promise<PublicSpace | undefined> {
  const path = `/v1/public/spaces/slug/${part(params['workspace_slug'])}/${part(params['space_slug'])}`;
  return ask(callApi, path, publicSpace);
}

/** The memory of an address with its space, by the parameters of its page; a space that shows titles only has no such page. */
export async function findMemory(
  callApi: CallApi,
  params: Params,
): Promise<{ space: PublicSpace; memory: PlacedMemory } | undefined> {
  const space = await findSpace(callApi, params);
  if (!space?.publishText) return undefined;
  const path = `/v1/public/memories/${space.workspaceId}/${space.id}/${part(params['memory_id'])}`;
  const memory = await ask(callApi, path, placedMemory);
  return memory && { space, memory };
}

/** The thread of an address, by the parameters of its page. */
export function findThread(callApi: CallApi, params: Params): Promise<PublicThread | undefined> {
  const path = `/v1/public/threads/slug/${part(params['workspace_slug'])}/${part(params['thread_id'])}`;
  return ask(callApi, path, publicThread);
}

/** The workspace of an address, if it has public content. */
export function findWorkspace(callApi: CallApi, params: Params): Promise<PublicWorkspace | undefined> {
  return ask(callApi, `/v1/public/workspaces/slug/${part(params['workspace_slug'])}`, publicWorkspace);
}

export async function memoriesOf(
  callApi: CallApi,
  space: PublicSpace,
  most: number,
): Promise<PublicMemory[]> {
  const path = `/v1/public/memories/${space.workspaceId}/${space.id}?orderBy=created&order=desc&perPage=${most}`;
  return (await ask(callApi, path, z.array(publicMemory))) ?? [];
}

export async function messagesOf(
  callApi: CallApi,
  thread: PublicThread,
  { order, most }: { order: 'asc' | 'desc'; most: number },
): Promise<PublicMessage[]> {
  const path = `/v1/public/messages/${thread.workspaceId}/${thread.id}?order=${order}&perPage=${most}`;
  return (await ask(callApi, path, z.array(publicMessage))) ?? [];
}

/** Public spaces and threads of a workspace, latest changes first. */
export async function listedIn(callApi: CallApi, { id }: PublicWorkspace, most: number) {
  const query = `${id}?orderBy=updated&order=desc&perPage=${most}`;
  const [spaces, threads] = await Promise.all([
    ask(callApi, `/v1/public/spaces/${query}`, z.array(publicSpace)),
    ask(callApi, `/v1/public/threads/${query}`, z.array(publicThread)),
  ]);
  return { spaces: spaces ?? [], threads: threads ?? [] };
}

/** Words for the preview picture of a shared page, undefined when the public does not reach it. */
export async function previewOf(path: string, callApi: CallApi): Promise<PreviewWords | undefined> {
  const match = matchPage(path);
  if (match?.name === 'public_space') {
    const space = await findSpace(callApi, match.params);
    if (!space) return undefined;
    const text = space.description || countMemories(space.memoryCount);
    return { title: space.name, text, eyebrow: space.workspace.name };
  }
  if (match?.name === 'public_memory') {
    const found = await findMemory(callApi, match.params);
    if (!found) return undefined;
    const { space, memory } = found;
    const title = memoryTitle({ ...memory, notes: memory.text });
    const text = memory.description || memory.summary || memory.excerpt;
    return { title, text, eyebrow: space.name };
  }
  if (match?.name === 'public_thread') {
    const thread = await findThread(callApi, match.params);
    return thread && { title: thread.name, text: thread.summary ?? '', eyebrow: thread.workspace.name };
  }
  if (match?.name !== 'public_workspace') return undefined;
  const workspace = await findWorkspace(callApi, match.params);
  return workspace && { title: workspace.name, text: workspace.description ?? 'Public spaces and threads' };
}

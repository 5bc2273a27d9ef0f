// The data of a memory's public page from the public API, with its text already parsed into a tree.
import { countElements } from '#shared/markdown/count-elements.ts';
import { MARKDOWN } from '#shared/markdown/limits.ts';
import type { BodyNode } from '#shared/markdown/body-node.ts';
import { publicMemoryPath } from '#shared/citation-path.ts';
import { memoryTitle } from '#shared/memories/memory-text.ts';
import type { PlacedMemory } from '#shared/memories/public-memory.ts';
import type { PublicSpace } from '#shared/spaces/public-space.ts';
import { askPublic, moveTo, pageNotFound } from '#client/public-api.ts';
import type { PageRequest } from '#client/public-page.tsx';

/** Everything on the page. */
export interface PublicMemoryData {
  space: PublicSpace;
  memory: Omit<PlacedMemory, 'text'>;
  /** Title, or its fallback. */
  name: string;
  /** The note as a tree to draw; empty for links and files. */
  body: BodyNode[];
}

/** @throws not-found, also in a space that shows titles only; a redirect from an earlier address */
export async function loadPublicMemory(input: PageRequest): Promise<PublicMemoryData> {
  const { workspace_slug = '', space_slug = '', memory_id = '' } = input.params;
  const space = await askPublic<PublicSpace>(input, {
    path: `/v1/public/spaces/slug/${encodeURIComponent(workspace_slug)}/${encodeURIComponent(space_slug)}`,
  });
  if (!space.publishText) throw pageNotFound(input.url);
  const { text, ...memory } = await askPublic<PlacedMemory>(input, {
    path: `/v1/public/memories/${space.workspaceId}/${space.id}/${encodeURIComponent(memory_id)}`,
  });
  const place = { workspaceSlug: space.workspace.slug, spaceSlug: space.slug, hasPage: true };
  moveTo(input, publicMemoryPath({ ...place, memoryId: memory.id }));
  const name = memoryTitle({ ...memory, notes: text });
  return { space, memory, name, body: text === null ? [] : withoutTitle(await drawn(input, text), name) };
}

/** A text of more elements than a page may have is shown as it is. */
async function drawn({ markdown }: PageRequest, text: string): Promise<BodyNode[]> {
  const [tree] = await markdown.trees([text]);
  if (tree && countElements(tree) <= MARKDOWN.maxPageElements) return tree;
  return [['p', { plain: '' }, text]];
}

/** A note that begins with its own title as a heading shows it once. */
function withoutTitle(body: BodyNode[], name: string): BodyNode[] {
  const [first, ...rest] = body;
  if (!Array.isArray(first)) return body;
  const [tag, , ...words] = first;
  return /^h[1-6]$/.test(tag) && words.length === 1 && words[0] === name ? rest : body;
}

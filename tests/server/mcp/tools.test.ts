/** What the tools and resources do, with a key, in both revisions of the protocol. */
import type { Client } from '@modelcontextprotocol/client';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MCP } from '#server/mcp/limits.ts';
import { ENDPOINTS, type EndpointName } from '#shared/endpoints.ts';
import { scopesOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { idOf } from '#shared/define/id-schema.ts';
import type { Scope } from '#shared/api-keys/scopes.ts';
import { newId } from '#shared/ids.ts';
import { awaitReply } from '#server/mcp/await-reply.ts';
import { TOOLS } from '#server/mcp/mcp-server.ts';
import { scopesAt } from '#server/oauth/resources.ts';
import { createRaw } from '#tests/support/agent.ts';
import { createBuild, createCast } from '#tests/support/build.ts';
import { createKey } from '#tests/support/keys.ts';
import { callTool, openMcp, REVISIONS, savedId, toolFailure } from '#tests/support/mcp.ts';
import { storeToken } from '#tests/support/oauth.ts';
import { openWorld } from '#tests/support/world.ts';

const EVERYTHING: readonly Scope[] = [
  ...(['memories:read', 'memories:write', 'spaces:read', 'spaces:write'] as const),
  ...(['threads:read', 'threads:write', 'messages:write', 'search:read'] as const),
];

const answered = z.object({
  threadId: idOf('thread'),
  answer: z.object({ untrusted: z.object({ content: z.string() }) }),
});
const withNotes = z.object({
  untrusted: z.object({ notes: z.object({ text: z.string(), next: z.number().nullable() }) }),
});
const scopesOfCall = (name: EndpointName): readonly Scope[] => {
  const endpoint: AnyEndpoint = ENDPOINTS[name];
  return scopesOf(endpoint);
};

const world = await openWorld({ jobs: true, env: { TRUST_PROXY: 'loopback' } });
const cast = await createCast(world);
const build = createBuild(cast);
const { secret } = await createKey(world, cast.alice, { workspaceId: cast.workspaceId, scopes: EVERYTHING });

describe.each(REVISIONS)('in the revision %s', (revision) => {
  let client: Client;
  beforeAll(async () => {
    client = await openMcp(world, secret, revision);
  });
  afterAll(() => client.close());

  it('a memory is saved, changed, found and read', async () => {
    const saved = await callTool(client, 'create_memory', {
      title: 'Lighthouse',
      notes: `The lamp of ${revision} turns every ten seconds.`,
      tags: ['Sea'],
    });
    expect(saved).toMatchObject({ duplicate: false, memory: { type: 'note', untrusted: { tags: ['sea'] } } });
    const id = savedId(saved);
    const changed = await callTool(client, 'update_memory', {
      id,
      title: 'The old lighthouse',
      archived: false,
    });
    expect(changed).toMatchObject({ memory: { id, untrusted: { title: 'The old lighthouse' } } });
    const found = await callTool(client, 'search_memories', { query: `"lamp of ${revision}"` });
    expect(found).toMatchObject({
      total: 1,
      memories: [{ id, untrusted: { passages: [{ field: 'notes' }] } }],
    });
    const read = await callTool(client, 'get_memory', { id });
    expect(read).toMatchObject({
      id,
      resource: `loci://memories/${id}`,
      untrusted: {
        notes: { text: `The lamp of ${revision} turns every ten seconds.`, next: null },
        page: null,
      },
    });
    const row = await cast.alice.api('memory.get', {
      params: { workspaceId: cast.workspaceId, id },
    });
    expect(row.result).toMatchObject({ origin: 'api', createdBy: cast.alice.user.id });
  });

  it('a memory is filed in a space and read there', async () => {
    const space = await build.space({ name: `Shelf ${revision}` });
    const memory = await build.memory({ title: 'Filed' });
    expect(await callTool(client, 'get_space', { id: space.id })).toMatchObject({ contents: { total: 0 } });
    await callTool(client, 'add_to_space', { spaceId: space.id, memoryId: memory.id });
    const read = await callTool(client, 'get_space', { id: space.id });
    expect(read).toMatchObject({
      untrusted: { name: `Shelf ${revision}` },
      contents: { total: 1, memories: [{ id: memory.id }] },
    });
    const found = await callTool(client, 'list_spaces', { query: 'shelf' });
    expect(found['spaces']).toContainEqual(expect.objectContaining({ id: space.id }));
  });

  it('a question is answered with its sources, and the thread goes on', async () => {
    const memory = await build.memory({
      title: 'Bread',
      notes: `The sourdough of ${revision} rests for fourteen hours in the cold pantry.`,
    });
    const first = await callTool(client, 'ask', {
      question: `How long does the sourdough of ${revision} rest?`,
      memoryIds: [memory.id],
    });
    expect(first).toMatchObject({
      answer: { role: 'assistant', sources: [{ number: 1, memoryId: memory.id }] },
    });
    const { threadId, answer } = answered.parse(first);
    expect(answer.untrusted.content).toContain('fourteen hours');
    await callTool(client, 'ask', { question: 'And where?', threadId });
    const thread = await callTool(client, 'get_thread', { id: threadId });
    expect(thread).toMatchObject({ total: 4, visibility: 'private' });
    expect(await callTool(client, 'list_threads', { query: 'sourdough' })).toMatchObject({
      threads: expect.arrayContaining([expect.objectContaining({ id: threadId })]),
    });
  });

  it('a long text comes in parts', async () => {
    const notes = 'A sentence about nothing in particular. '.repeat(1_500);
    const { id } = await build.memory({ title: 'Long', notes });
    const parts: string[] = [];
    for (let notesFrom: number | null = 0; notesFrom !== null;) {
      const read = await callTool(client, 'get_memory', { id, notesFrom });
      const part = withNotes.parse(read).untrusted.notes;
      expect(part.text.length).toBeLessThanOrEqual(MCP.textCharacters);
      parts.push(part.text);
      notesFrom = part.next;
    }
    expect([parts.length, parts.join('')]).toEqual([3, notes]);
  });

  it('memories and spaces are resources, page by page', async () => {
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'loci://spaces/{id}',
      'loci://memories/{id}',
    ]);
    const memory = await build.memory({ title: 'As a resource' });
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `loci://memories/${memory.id}`, title: 'As a resource' }),
    );
    const { contents } = await client.readResource({ uri: `loci://memories/${memory.id}` });
    expect(contents).toEqual([
      {
        uri: `loci://memories/${memory.id}`,
        mimeType: 'application/json',
        text: expect.stringContaining('"title":"As a resource"'),
      },
    ]);
  });

  it('failures are those of REST, told to the model', async () => {
    expect(await toolFailure(client, 'get_memory', { id: build.nowhere().memory })).toMatchObject({
      code: 'not_found',
      detail: 'Memory not found',
    });
    expect(await toolFailure(client, 'create_memory', {})).toMatchObject({ code: 'invalid' });
    expect(await toolFailure(client, 'search_memories', { spaceIds: ['spc_x'] })).toMatchObject({
      code: 'invalid',
    });
  });
});

it('every tool is made of calls that its scopes open, and these are what clients are told to ask for', () => {
  const needs = Object.values(TOOLS).flatMap((tool): readonly EndpointName[] => tool.needs);
  const scopes = new Set(needs.flatMap((name) => [...scopesOfCall(name)]));
  const told = scopesAt(world.context.config, 'http://localhost:4000/mcp');
  expect([...scopes, 'offline_access'].sort()).toEqual([...told].sort());
  for (const [name, { needs: calls, writes = false }] of Object.entries(TOOLS)) {
    const isWriting = calls.some((call) => scopesOfCall(call).some((scope) => scope.endsWith(':write')));
    expect([name, writes]).toEqual([name, isWriting]);
  }
});

it('a memory of an application names the application', async () => {
  const { workspaceId, alice } = cast;
  const client = await openMcp(world, secret);
  const made = await callTool(client, 'create_memory', { title: 'By a key' });
  await client.close();
  const token = await storeToken(world, { userId: alice.user.id, workspaceId, scopes: EVERYTHING });
  const body = { workspaceId, title: 'By an application' };
  const saved = await createRaw(world, token)('POST', '/v1/memories', { body });
  expect(saved.json?.result).toMatchObject({
    metadata: { clientId: expect.stringMatching(/^oauth_client_/) },
  });
  const { rows } = await sql<{ metadata: object }>`
    select "metadata" from "memory" where "id" = ${savedId(made)}`.execute(world.context.db);
  expect(rows).toEqual([{ metadata: {} }]);
});

it('work stops after the client has left', async () => {
  const { workspaceId, alice } = cast;
  const thread = await build.thread();
  const client = new AbortController();
  const waiting = awaitReply(world.context, { workspaceId, messageId: newId('message') }, client.signal);
  await alice.api('thread.get', { params: { workspaceId, id: thread.id } });
  client.abort();
  expect(await waiting).toBeUndefined();
});

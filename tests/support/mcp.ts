/**
 * MCP clients in tests: the official client library, which believes to speak to the public address of a world, and bare
 * messages for everything that the library would never send.
 */
import {
  Client,
  StreamableHTTPClientTransport,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { z } from 'zod';
import { idOf } from '#shared/define/id-schema.ts';
import type { Id } from '#shared/ids.ts';
import { createRaw, type RawAnswer } from './agent.ts';
import { fetchIn, REDIRECT } from './oauth.ts';
import type { World } from './world.ts';

/** The revisions that clients of today and of last year speak. */
export const REVISIONS = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof REVISIONS)[number];

/** The address that clients are given. */
export function mcpAddress(world: World): URL {
  return new URL('/mcp', world.context.config.appOrigin);
}

/** A client that has not connected yet. */
export function createMcpClient(revision: Revision): Client {
  const mode = revision === '2026-07-28' ? { pin: revision } : ('legacy' as const);
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
}

/** A connected client that sends a key or token with every request. */
export async function openMcp(
  world: World,
  token: string,
  revision: Revision = '2026-07-28',
): Promise<Client> {
  const client = createMcpClient(revision);
  const transport = new StreamableHTTPClientTransport(mcpAddress(world), {
    fetch: fetchIn(world),
    authProvider: { token: async () => token },
  });
  await client.connect(transport);
  return client;
}

/** What a tool answered; a failure of the tool fails the test. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args });
  expect([name, isError ?? false, isError ? content : null]).toEqual([name, false, null]);
  return z.record(z.string(), z.unknown()).parse(structuredContent);
}

/** The id of the memory that a tool has saved. */
export function savedId({ memory }: Record<string, unknown>): Id<'memory'> {
  return z.object({ id: idOf('memory') }).parse(memory).id;
}

/** The failure that a tool answered, as REST would have told it. */
export async function toolFailure(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<{ code: string; detail: string }> {
  const { isError, content } = await client.callTool({ name, arguments: args });
  expect([name, isError]).toEqual([name, true]);
  const [first] = content;
  return JSON.parse(first?.type === 'text' ? first.text : '{}').error;
}

/** Sends any message in the language of 2025, which needs no session here. */
export function createMcpRaw(world: World, token?: string) {
  const raw = createRaw(world, token);
  return (body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> =>
    raw('POST', '/mcp', {
      body,
      headers: { accept: 'application/json, text/event-stream', ...headers },
    });
}

/** A message that calls a tool. */
export function toolMessage(name: string, args: unknown = {}, id: unknown = 1) {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** An application that keeps what the client library hands to it, and stops where a person has to decide. */
export class TestApplication implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadataUrl?: string;
  clientMetadata: OAuthClientMetadata = {
    client_name: 'An assistant',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
  };
  client: StoredOAuthClientInformation | undefined;
  saved: StoredOAuthTokens | undefined;
  /** Where the person is sent. */
  asked: URL | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = '';

  constructor(documentAddress?: string) {
    if (documentAddress !== undefined) this.clientMetadataUrl = documentAddress;
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    return this.client;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.client = client;
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.saved;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.saved = tokens;
  }

  redirectToAuthorization(address: URL): void {
    this.asked = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(found: OAuthDiscoveryState): void {
    this.#discovered = found;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  invalidateCredentials(): void {
    this.saved = undefined;
  }

  state(): string {
    return 'a-state-of-the-application';
  }
}

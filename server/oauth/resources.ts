/** The issuer, and the resources that a token can be bound to (RFC 8707). A token for one is refused by the others. */
import { SCOPE_NAMES, type Scope } from '#shared/api-keys/scopes.ts';
import type { Config } from '../config.ts';

/** The issuer of tokens, which is also the API that they open. */
export function issuerOf({ appOrigin }: Pick<Config, 'appOrigin'>): string {
  return `${appOrigin}/v1`;
}

/** The MCP endpoint; it accepts only tokens that are bound to it. */
export function mcpResourceOf({ appOrigin }: Pick<Config, 'appOrigin'>): string {
  return `${appOrigin}/mcp`;
}

/** The scopes that the tools of the MCP endpoint need. */
const MCP_SCOPES: readonly Scope[] = [
  'memories:read',
  'memories:write',
  'spaces:read',
  'spaces:write',
  'threads:read',
  'threads:write',
  'messages:write',
  'search:read',
];

/** The scopes in the metadata of a resource (RFC 9728). */
export function scopesAt(config: Pick<Config, 'appOrigin'>, resource: string): readonly string[] {
  return resource === mcpResourceOf(config) ? [...MCP_SCOPES, 'offline_access'] : SCOPE_NAMES;
}

/** Every resource, as its audience is written. */
function resourcesOf(config: Pick<Config, 'appOrigin'>): readonly string[] {
  return [issuerOf(config), mcpResourceOf(config)];
}

/** The audience of a resource indicator; a slash at its end is ignored. */
export function resourceOf(config: Pick<Config, 'appOrigin'>, indicator: string): string | undefined {
  const plain = withoutSlash(indicator);
  return resourcesOf(config).find((resource) => resource === plain);
}

/** The indicator in the one spelling that the library compares. */
export function withoutSlash(indicator: string): string {
  return indicator.replace(/\/+$/, '');
}

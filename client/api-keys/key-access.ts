/**
 * Access levels of a new key: read, read and write, or individual scopes. Scopes that only serve log-in with OpenID
 * Connect are left out.
 */
import { isLimitable, isScope, SCOPE_NAMES, type Scope } from '#shared/api-keys/scopes.ts';

const OF_LOGINS: ReadonlySet<string> = new Set(['openid', 'offline_access']);

export const KEY_SCOPES: readonly Scope[] = SCOPE_NAMES.filter(isScope).filter(
  (scope) => !OF_LOGINS.has(scope),
);

export type KeyAccess = 'read' | 'write' | 'custom';

/** The scopes of a choice; `chosen` are those of a custom one. */
export function scopesFor(access: KeyAccess, chosen: ReadonlySet<Scope>): Scope[] {
  if (access === 'custom') return KEY_SCOPES.filter((scope) => chosen.has(scope));
  return KEY_SCOPES.filter((scope) => access === 'write' || !scope.endsWith(':write'));
}

/** A choice that has exactly these scopes in words: "Read and write". */
export function accessWords(scopes: readonly Scope[], isLimited: boolean): string {
  const has = (access: KeyAccess) => {
    const wanted = withinSpaces(scopesFor(access, new Set()), isLimited);
    return wanted.length === scopes.length && wanted.every((scope) => scopes.includes(scope));
  };
  if (has('write')) return 'Read and write';
  return has('read') ? 'Read only' : scopes.join(', ');
}

/** Without scopes for what belongs to no space, where the key is limited to spaces. */
export function withinSpaces(scopes: readonly Scope[], isLimited: boolean): Scope[] {
  return scopes.filter((scope) => !isLimited || isLimitable(scope));
}

// The scopes that keys and OAuth tokens carry: resource and level, with the words for consent screens.
import { z } from 'zod';

/** Scope → what it allows, as shown to people. */
export const SCOPES = {
  openid: 'Know who you are',
  profile: 'See your name',
  email: 'See your e-mail address',
  offline_access: 'Stay connected while you are away',
  'memories:read': 'Read your memories',
  'memories:write': 'Save, change and delete memories',
  'spaces:read': 'Read your spaces',
  'spaces:write': 'Create, change and delete spaces',
  'threads:read': 'Read your threads',
  'threads:write': 'Create, change and delete threads',
  'messages:write': 'Write messages in threads',
  'workspaces:read': 'See your workspaces',
  'members:read': 'See the members of your workspaces',
  'search:read': 'Search what you can read',
} as const;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES);

/** True for a scope of the table. */
export function isScope(text: unknown): text is Scope {
  return typeof text === 'string' && Object.hasOwn(SCOPES, text);
}

/** Resources that belong to no space, so that a key or token for chosen spaces cannot have them. */
const SPACELESS = ['threads', 'messages', 'members'];

/** Whether the scope is meaningful for a key or token that is limited to chosen spaces. */
export function isLimitable(scope: Scope): boolean {
  return !SPACELESS.some((resource) => scope.startsWith(`${resource}:`));
}

export const scopeSchema = z
  .custom<Scope>(isScope, { error: 'Unknown scope' })
  .meta({ type: 'string', enum: SCOPE_NAMES });

/**
 * Client metadata: the fields of RFC 7591 that are used here, each held to a limit. All other fields are dropped before
 * the provider library or the database sees them, and no address in them is ever fetched.
 */
import { z } from 'zod';
import { SCOPE_NAMES, isScope, type Scope } from '../api-keys/scopes.ts';
import { LIMITS } from '../constants.ts';
import { OAUTH } from './limits.ts';
import { email, nameText, text } from '../define/fields.ts';
import { isLoopback, isNativeClient, redirectProblem } from './redirect-uri.ts';

/** Scopes of a client without a member who registered it: all but the one that shows other people. */
const UNVOUCHED_SCOPES = SCOPE_NAMES.filter((scope) => scope !== ('members:read' satisfies Scope));

/** A page or picture of the client: https, or this device while it is being developed. */
const link = text(LIMITS.url).refine((value) => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === 'https:' || isLoopback(url));
}, 'Must be an https address');

const redirectUris = z
  .array(
    z.string().superRefine((value, context) => {
      const problem = redirectProblem(value);
      if (problem !== undefined) context.addIssue(`The redirect address ${problem}`);
    }),
  )
  .min(1, 'Name at least one redirect address')
  .max(OAUTH.redirectUrisMax, `At most ${OAUTH.redirectUrisMax} redirect addresses`)
  .transform((list) => [...new Set(list)]);

/** A registration, or a client metadata document. */
export const selfDescription = z
  .object({
    redirect_uris: redirectUris,
    client_name: nameText.default('Unnamed application'),
    client_uri: link.optional(),
    logo_uri: link.optional(),
    policy_uri: link.optional(),
    tos_uri: link.optional(),
    contacts: z.array(email).max(5).optional(),
    token_endpoint_auth_method: z
      .enum(['none', 'client_secret_basic', 'client_secret_post'])
      .default('client_secret_basic'),
    grant_types: z
      .array(z.enum(['authorization_code', 'refresh_token']))
      .max(5)
      .transform((list) => [...new Set(['authorization_code', ...list])])
      .default(['authorization_code']),
    response_types: z.array(z.literal('code')).max(1).default(['code']),
    scope: z.string().max(1_000).optional(),
    application_type: z.enum(['web', 'native']).optional(),
  })
  .transform((given) => ({
    ...given,
    // A client on the person's device listens on any free port.
    application_type: given.application_type ?? (isNativeClient(given.redirect_uris) ? 'native' : 'web'),
    scope: scopesFor(given.scope).join(' '),
  }));
export type SelfDescription = z.output<typeof selfDescription>;

/** The available ones of the requested scopes; all of them if none was requested. */
function scopesFor(scope: string | undefined): string[] {
  if (scope === undefined) return UNVOUCHED_SCOPES;
  const named = new Set(scope.split(' ').filter(isScope));
  return UNVOUCHED_SCOPES.filter((each) => isScope(each) && named.has(each));
}

// The paths of the provider library. Separate from the library itself, which is loaded with the first request of a client.

/** Paths below the issuer. */
export const OAUTH_ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  introspection: '/oauth/introspect',
  revocation: '/oauth/revoke',
  registration: '/oauth/register',
  userinfo: '/oauth/userinfo',
  jwks: '/oauth/jwks',
} as const;

/** Where the library would send a person who has to decide; never reached over the network. */
export const DECISION_MARK = '/decide';

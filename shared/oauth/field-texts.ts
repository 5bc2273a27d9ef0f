/** Descriptions of fields in the API reference: OAuth clients, consent, connected apps, and standard forms. */
import type { FieldTexts, RowTexts } from '../define/field-texts.ts';
import type { oauthClient } from './oauth-client.ts';

const clientTexts = {
  name: 'Shown to the person who decides; not checked by anyone unless the client is verified.',
  description: 'Shown to the person who decides; null shows none.',
  email: 'Where people reach the maker; null shows none.',
  logoUrl: 'A picture for the consent page; null shows none.',
  websiteUrl: 'Shown to the person who decides; null shows none.',
  privacyPolicyUrl: 'Shown to the person who decides; null shows none.',
  termsOfServiceUrl: 'Shown to the person who decides; null shows none.',
  verified: 'True when the people who run the server know its maker.',
} satisfies RowTexts<typeof oauthClient>;

const inspectedTexts = {
  ...clientTexts,
  redirectUris:
    'Where the browser may be sent back to, compared character by character; loopback addresses may have any port.',
  confidential: 'True when the client has a secret; public clients prove themselves by PKCE alone.',
  lastUsedAt: 'Last token that was issued to it, in UTC; null before the first.',
};

const managedTexts = {
  ...inspectedTexts,
  workspaceVerified: 'True when an owner of the workspace verified the client for its members.',
};

const chosenSpaces = 'The only spaces whose content the app reaches; null means all that the person reads.';

const connectionTexts = {
  workspace_id: 'Workspace that the person connected the app with.',
  space_ids:
    'The only spaces whose content the app reaches; left out when it reaches all that the person reads.',
};

const endpointOf = (what: string) => `Address of ${what}.`;

export const oauthFieldTexts = {
  OauthClient: clientTexts,
  ManagedOauthClient: managedTexts,
  ReviewedOauthClient: {
    ...inspectedTexts,
    identifier: 'What the client calls itself: its id, or the address of its metadata document.',
    workspaceId: 'Workspace that the client belongs to; null when it registered or described itself.',
  },
  NewOauthClient: { ...managedTexts, secret: 'Shown this once; null for a public client.' },
  ConnectedApp: {
    client: 'The app.',
    verified: 'True when staff verified the app, or the owners of this workspace, if the app belongs to it.',
    scopes: 'What the app may do.',
    spaceIds: chosenSpaces,
    lastUsedAt: 'Last use of one of its tokens, in UTC.',
  },
  'oauth.check': {
    client: 'The app that asks.',
    verifiedIn:
      'Workspace of the person that the app belongs to and whose owners verified it; null without one.',
    redirectTarget: 'Host, or scheme of an application, that the browser goes back to.',
    scopes: 'What the app asks for; the person allows all of it or nothing.',
    'scopes.id': 'Name of the scope.',
    'scopes.label': 'What it lets the app do, in plain words.',
    previous: 'What the person allowed the app before; null when nothing.',
    'previous.workspaceId': 'Workspace that the app was connected with.',
    'previous.spaceIds': chosenSpaces,
    'previous.writes': 'Whether the app was allowed to write.',
    redirect_to: 'The request is refused: the browser goes here, with the refusal for the client.',
  },
  'oauth.authorize': {
    decision: 'What the person decided.',
    workspaceId: 'Workspace that the app is connected with; required with `allow`.',
    spaceIds: 'Limits the app to these spaces; left out, it reaches all that the person reads.',
    access: '`read` leaves the scopes out that write.',
    redirect_to: 'Where the browser goes next; it carries the code for the client.',
  },
  'oauth_client.update': managedTexts,
  'oauth_client.create': {
    ...managedTexts,
    confidential: 'False for programs that cannot keep a secret, such as those on a device.',
  },
  'oauth_client.verify': { verified: 'False takes the verification back.' },
  'public_client.verify': { verified: 'False takes the verification back.' },
  'oauth_client.renew_secret': { secret: 'The new one, shown this once; the old one stops working at once.' },
  'connected_app.remove': { id: 'Id of the app, as `connected_app.list` has it under `client`.' },
  'oauth.begin': {
    response_type: 'Always `code`.',
    client_id: 'Id of a registered client, or the address of its metadata document.',
    redirect_uri: 'One of the addresses that the client has registered.',
    state: 'Comes back unchanged, so that the client knows the answer as its own.',
    code_challenge: 'SHA-256 of the `code_verifier` in base64url (RFC 7636).',
    code_challenge_method: 'Always `S256`.',
    nonce: 'Comes back in the ID token.',
    resource: 'The resource that the token is for (RFC 8707): the API or the MCP endpoint.',
    prompt: '`login` asks who it is once more; `none` is refused, because a person always decides.',
  },
  'oauth.token': {
    grant_type: 'What is exchanged.',
    resource: 'The resource that the token is for (RFC 8707).',
    client_secret: 'Of confidential clients that do not send it with HTTP Basic.',
  },
  'oauth.introspect': {
    token: 'An access or a refresh token of the asking client.',
    token_type_hint: 'Where to look first; a wrong one costs time alone.',
    client_secret: 'Of confidential clients that do not send it with HTTP Basic.',
  },
  'oauth.revoke': {
    token: 'An access or a refresh token of the asking client.',
    token_type_hint: 'Where to look first; a wrong one costs time alone.',
    client_secret: 'Of confidential clients that do not send it with HTTP Basic.',
  },
  'oauth.register': {
    redirect_uris: 'Addresses over https, loopback addresses or own schemes of an application.',
    client_name: 'Shown to the person who decides.',
    client_uri: 'Page of the client, over https.',
    logo_uri: 'Picture of the client, over https; never fetched by the server.',
    policy_uri: 'Privacy policy, over https.',
    tos_uri: 'Terms of service, over https.',
    contacts: 'Addresses of the makers; the first is shown.',
    token_endpoint_auth_method: '`none` for programs that cannot keep a secret.',
    grant_types: '`authorization_code` is always added.',
    response_types: 'Always `code`.',
    scope:
      'Scopes with spaces between them; all that a client may have without a member who registered it, when left out.',
    application_type:
      '`native` lets loopback addresses have any port; follows from the redirect addresses when left out.',
  },
  OauthTokens: {
    ...connectionTexts,
    access_token: 'Bearer token for the API or the MCP endpoint.',
    token_type: 'Always `Bearer`.',
    expires_in: 'Seconds until the access token stops working.',
    refresh_token: 'For the next tokens; works once. Only with the scope `offline_access`.',
    id_token: 'Who the person is, as a signed JWT. Only with the scope `openid`.',
  },
  OauthTokenState: {
    ...connectionTexts,
    active:
      'False for tokens that ended, are unknown or belong to another client; nothing else is then sent.',
    sub: 'Id of the user for whom the token acts.',
    client_id: 'Id of the client that the token was issued to.',
    exp: 'When it ends, in seconds since 1970.',
    iat: 'When it was issued, in seconds since 1970.',
  },
  RegisteredOauthClient: {
    client_id: 'Id of the new client.',
    client_secret: 'Shown this once; not sent to a client with the method `none`.',
    client_name: 'As it was sent.',
    redirect_uris: 'As they were sent, each once.',
    grant_types: 'What the client may exchange for tokens.',
    token_endpoint_auth_method: 'How the client proves itself.',
  },
  OauthPerson: {
    ...connectionTexts,
    sub: 'Id of the user.',
    name: 'With the scope `profile`.',
    preferred_username: 'With the scope `profile`; null when the person chose none.',
    email: 'With the scope `email`.',
    email_verified: 'With the scope `email`.',
  },
  OauthKeys: {
    keys: 'The present key, and earlier ones while tokens that they signed are valid.',
    kty: 'Kind of key.',
    kid: 'Id of the key, which stands in the head of each token.',
    use: 'The keys sign; they encrypt nothing.',
    alg: 'Algorithm of the signature.',
    crv: 'Curve of the key.',
    x: 'First coordinate in base64url.',
    y: 'Second coordinate in base64url.',
  },
  OauthServerMetadata: {
    issuer: 'The `iss` of ID tokens; compare it character by character.',
    authorization_endpoint: endpointOf('the page to which a client sends the browser'),
    token_endpoint: endpointOf('the call that issues tokens'),
    introspection_endpoint: endpointOf('the call that tells the state of a token'),
    revocation_endpoint: endpointOf('the call that ends a token'),
    registration_endpoint: endpointOf('the call that registers a client'),
    userinfo_endpoint: endpointOf('the call that names the person behind a token'),
    jwks_uri: endpointOf('the public keys of ID tokens'),
    scopes_supported: 'All scopes; which a client may have depends on who registered it.',
    response_types_supported: 'Only the code flow.',
    grant_types_supported: 'What can be exchanged for tokens.',
    code_challenge_methods_supported: 'Methods of PKCE, which every client must use.',
  },
  OauthResourceMetadata: {
    resource: 'Value of the parameter `resource` for tokens that open it.',
    authorization_servers: 'Issuers whose tokens are taken.',
    scopes_supported: 'Scopes that mean something here.',
    bearer_methods_supported: 'Tokens are taken in the header Authorization alone.',
  },
  OauthFailure: {
    error: 'Word of RFC 6749, for programs.',
    error_description: 'A sentence for developers.',
    message: 'The same as `error_description`.',
    detail: 'The same as `error_description`.',
  },
} as const satisfies FieldTexts;

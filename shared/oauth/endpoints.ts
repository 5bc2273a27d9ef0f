// The calls about OAuth that people and pages make: consent, connected apps, and the clients of a workspace. The calls of the
// protocol itself (token, introspection, revocation, registration, userinfo, keys) follow its standards and are in
// protocol-calls.ts.
import { z } from 'zod';
import { scopeSchema } from '../api-keys/scopes.ts';
import { CREDENTIAL_SPACES_MAX } from '../api-keys/limits.ts';
import { OAUTH } from './limits.ts';
import { defineEndpoint } from '../define/endpoint.ts';
import { timestamp } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { listQuery, pageQuery } from '../define/list-query.ts';
import { clientShown, connectedApp } from './connected-app.ts';
import { oauthClient } from './oauth-client.ts';
import { redirectProblem } from './redirect-uri.ts';

const parameter = z.string().max(4_096);
/** The unparsed parameters of an authorization request; a repeated one is a list. */
const requestParameters = z.object({}).catchall(z.union([parameter, z.array(parameter).max(5)]));

const redirectUriSchema = z.string().superRefine((value, context) => {
  const problem = redirectProblem(value);
  if (problem !== undefined) context.addIssue(`The redirect address ${problem}`);
});

const clientFields = {
  name: oauthClient.row.shape.name,
  description: oauthClient.row.shape.description.default(null),
  email: oauthClient.row.shape.email.default(null),
  logoUrl: oauthClient.row.shape.logoUrl.default(null),
  websiteUrl: oauthClient.row.shape.websiteUrl.default(null),
  privacyPolicyUrl: oauthClient.row.shape.privacyPolicyUrl.default(null),
  termsOfServiceUrl: oauthClient.row.shape.termsOfServiceUrl.default(null),
  redirectUris: z
    .array(redirectUriSchema)
    .min(1, 'Name at least one redirect address')
    .max(OAUTH.redirectUrisMax, `At most ${OAUTH.redirectUrisMax} redirect addresses`)
    .transform((list) => [...new Set(list)]),
};

const clientInspected = oauthClient.row.extend({
  redirectUris: z.array(z.string()),
  /** True when the client has a secret; public clients prove themselves by PKCE alone. */
  confidential: z.boolean(),
  lastUsedAt: timestamp.nullable(),
});

/** A client as those who manage it see it. */
const clientManaged = clientInspected
  .extend({ workspaceVerified: z.boolean() })
  .meta({ id: 'ManagedOauthClient' });

/** A client as staff see it. */
const clientReviewed = clientInspected
  .extend({
    /** Its id, or the address of its metadata document. */
    identifier: z.string(),
    workspaceId: idOf('workspace').nullable(),
  })
  .meta({ id: 'ReviewedOauthClient' });
const verification = z.object({ verified: z.boolean() });

const inWorkspace = z.object({ workspaceId: idOf('workspace') });
const oneClient = inWorkspace.extend({ id: idOf('oauth_client') });

export const oauthEndpoints = {
  'oauth.check': defineEndpoint({
    method: 'POST',
    path: '/v1/oauth/requests',
    summary: 'Checks an authorization request before a person decides it.',
    auth: 'session',
    spaceless: true,
    body: requestParameters,
    result: z.union([
      z.object({
        client: clientShown,
        /** Workspace of the person whose owners verified the client, which belongs to it. */
        verifiedIn: idOf('workspace').nullable(),
        /** Host, or scheme of an application, that the response is sent to. */
        redirectTarget: z.string(),
        scopes: z.array(z.object({ id: scopeSchema, label: z.string() })),
        previous: z
          .object({ workspaceId: idOf('workspace'), spaceIds: z.array(idOf('space')), writes: z.boolean() })
          .nullable(),
      }),
      // The request is refused, and the refusal belongs to the client.
      z.object({ redirect_to: z.string() }),
    ]),
  }),
  'oauth.authorize': defineEndpoint({
    method: 'POST',
    path: '/v1/oauth/authorize',
    summary: 'Allows or denies an authorization request; answers where the browser goes next.',
    auth: 'session',
    body: z
      .object({
        decision: z.enum(['allow', 'deny']),
        workspaceId: idOf('workspace').optional(),
        spaceIds: z.array(idOf('space')).max(CREDENTIAL_SPACES_MAX).optional(),
        access: z.enum(['read', 'write']).optional(),
      })
      .catchall(z.union([parameter, z.array(parameter).max(5)])),
    result: z.object({ redirect_to: z.string() }),
    secret: true,
  }),
  'oauth_client.list_public': defineEndpoint({
    method: 'GET',
    path: '/v1/public/oauth_clients',
    summary: 'Lists the verified OAuth clients.',
    auth: 'public',
    query: listQuery(oauthClient),
    result: z.array(clientShown),
    list: true,
  }),
  'oauth_client.get_public': defineEndpoint({
    method: 'GET',
    path: '/v1/public/oauth_clients/{id}',
    summary: 'One OAuth client as the consent page shows it.',
    auth: 'public',
    params: z.object({ id: idOf('oauth_client') }),
    result: clientShown,
  }),
  'oauth_client.list': defineEndpoint({
    method: 'GET',
    path: '/v1/oauth_clients/{workspaceId}',
    summary: 'Lists the OAuth clients that belong to a workspace.',
    auth: 'session_member',
    params: inWorkspace,
    query: listQuery(oauthClient),
    result: z.array(clientManaged),
    list: true,
  }),
  'oauth_client.get': defineEndpoint({
    method: 'GET',
    path: '/v1/oauth_clients/{workspaceId}/{id}',
    summary: 'One OAuth client of a workspace.',
    auth: 'session_member',
    params: oneClient,
    result: clientManaged,
  }),
  'oauth_client.create': defineEndpoint({
    method: 'POST',
    path: '/v1/oauth_clients',
    summary:
      'Registers an OAuth client. The secret of a confidential one is in this answer and nowhere else.',
    auth: 'session_member',
    body: z.object({
      workspaceId: idOf('workspace'),
      confidential: z.boolean().default(true),
      ...clientFields,
    }),
    result: clientManaged.extend({ secret: z.string().nullable() }).meta({ id: 'NewOauthClient' }),
    status: 201,
    secret: true,
  }),
  'oauth_client.update': defineEndpoint({
    method: 'PUT',
    path: '/v1/oauth_clients/{workspaceId}/{id}',
    summary: 'Replaces what an OAuth client says about itself.',
    auth: 'session_member',
    params: oneClient,
    body: z.object(clientFields),
    result: clientManaged,
  }),
  'oauth_client.verify': defineEndpoint({
    method: 'POST',
    path: '/v1/oauth_clients/{workspaceId}/{id}/verification',
    summary:
      'Verifies an OAuth client for the members of its workspace, or takes that back. For owners; a changed client has to be verified again.',
    auth: 'session_member',
    params: oneClient,
    body: verification,
    result: clientManaged,
  }),
  'public_client.list': defineEndpoint({
    method: 'GET',
    path: '/v1/public_clients',
    summary:
      'Lists the OAuth clients that belong to no workspace, or that people outside of theirs connected. For staff.',
    auth: 'session',
    query: listQuery(oauthClient),
    result: z.array(clientReviewed),
    list: true,
  }),
  'public_client.verify': defineEndpoint({
    method: 'POST',
    path: '/v1/public_clients/{id}/verification',
    summary:
      'Verifies a public OAuth client for everyone, or takes that back. For staff; a changed client has to be verified again.',
    auth: 'session',
    params: z.object({ id: idOf('oauth_client') }),
    body: verification,
    result: clientReviewed,
  }),
  'oauth_client.renew_secret': defineEndpoint({
    method: 'POST',
    path: '/v1/oauth_clients/{workspaceId}/{id}/secret',
    summary: 'Replaces the secret of a confidential OAuth client; the old one ends at once.',
    auth: 'session_member',
    params: oneClient,
    result: z.object({ secret: z.string() }),
    secret: true,
  }),
  'oauth_client.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/oauth_clients/{workspaceId}/{id}',
    summary: 'Removes an OAuth client; everything that people granted to it ends at once.',
    auth: 'session_member',
    params: oneClient,
    result: z.null(),
  }),
  'connected_app.list': defineEndpoint({
    method: 'GET',
    path: '/v1/connected_apps',
    summary: 'Lists the apps that the person connected, one entry for each workspace.',
    auth: 'session',
    query: pageQuery().omit({ cursor: true }),
    result: z.array(connectedApp),
    list: true,
  }),
  'connected_app.remove': defineEndpoint({
    method: 'DELETE',
    path: '/v1/connected_apps/{workspaceId}/{id}',
    summary: 'Disconnects an app from a workspace; its tokens end at once.',
    auth: 'session',
    params: oneClient,
    result: z.null(),
  }),
} as const;

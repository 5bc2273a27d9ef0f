/** The calls about OAuth that people make, one small function per row. */
import { SCOPES } from '#shared/api-keys/scopes.ts';
import { AppError } from '#shared/errors.ts';
import type { oauthEndpoints } from '#shared/oauth/endpoints.ts';
import type { Handlers } from '../http/call.ts';
import { positionIn } from '../http/credentials.ts';
import { listPage } from '../http/list-page.ts';
import { refuseImpersonation } from '../http/person-checks.ts';
import { requireStaff } from '../http/staff.ts';
import { checkRequest, decideRequest } from './authorize.ts';
import { PUBLIC_COLUMNS, findShown } from './client-store.ts';
import { disconnectApp, listConnectedApps, previousGrant } from './connected-apps.ts';
import { findPublicClient, publicClients, setVerified } from './public-clients.ts';
import {
  clientsOf,
  createClient,
  getClient,
  inspected,
  removeClient,
  renewSecret,
  updateClient,
  verifyClient,
} from './workspace-clients.ts';

const clientNotFound = () => new AppError('not_found', 'OAuth client not found');

export const oauthHandlers = {
  'oauth.check': async ({ context, actor, body }) => {
    const checked = await checkRequest(context, body);
    if ('redirectTo' in checked) return { result: { redirect_to: checked.redirectTo } };
    const { identifier, redirectUri, scopes } = checked.seen;
    const found = await findShown(context, identifier);
    if (!found) throw clientNotFound();
    const { identifier: _identifier, workspaceId, workspaceVerified, ...client } = found;
    const isMember =
      workspaceId !== null &&
      workspaceVerified &&
      (await positionIn(context, actor.userId, workspaceId)) !== null;
    const { host, protocol } = new URL(redirectUri);
    return {
      result: {
        client,
        verifiedIn: isMember ? workspaceId : null,
        redirectTarget: host === '' || !/^https?:$/.test(protocol) ? protocol.slice(0, -1) : host,
        scopes: scopes.map((id) => ({ id, label: SCOPES[id] })),
        previous: await previousGrant(context, actor.userId, client.id),
      },
    };
  },
  'oauth.authorize': async ({ context, actor, body }) => {
    const { decision, workspaceId, spaceIds, access, ...parameters } = body;
    const choice = { decision, workspaceId, spaceIds, access };
    return { result: { redirect_to: await decideRequest(context, actor, { parameters, choice }) } };
  },
  'oauth_client.list_public': ({ context, query }) =>
    listPage(context.db.selectFrom('oauth_client').select(PUBLIC_COLUMNS).where('verified', '=', true), {
      table: 'oauth_client',
      query,
    }),
  'oauth_client.get_public': async ({ context, params }) => ({
    result: await context.db
      .selectFrom('oauth_client')
      .select(PUBLIC_COLUMNS)
      .where('id', '=', params.id)
      .executeTakeFirstOrThrow(clientNotFound),
  }),
  'oauth_client.list': async ({ context, actor, query }) => {
    const { result, meta } = await listPage(clientsOf(context, actor), { table: 'oauth_client', query });
    return { result: result.map(inspected), meta };
  },
  'oauth_client.get': async ({ context, actor, params }) => ({
    result: await getClient(context, actor, params.id),
  }),
  'oauth_client.create': async ({ context, actor, body: { workspaceId: _workspaceId, ...fields } }) => ({
    result: await createClient(context, actor, fields),
  }),
  'oauth_client.update': async ({ context, actor, params, body }) => ({
    result: await updateClient(context, actor, params.id, body),
  }),
  'oauth_client.verify': async ({ context, actor, params, body }) => ({
    result: await verifyClient(context, actor, params.id, body),
  }),
  'public_client.list': async ({ context, actor, query }) => {
    requireStaff(context, actor);
    const { result, meta } = await listPage(publicClients(context), { table: 'oauth_client', query });
    return { result: result.map(inspected), meta };
  },
  'public_client.verify': async ({ context, actor, params: { id }, body: { verified } }) => {
    requireStaff(context, actor);
    const client = await findPublicClient(context, id);
    if (!client) throw clientNotFound();
    await setVerified(context, client, verified);
    return { result: inspected({ ...client, verified }) };
  },
  'oauth_client.renew_secret': async ({ context, actor, params }) => ({
    result: await renewSecret(context, actor, params.id),
  }),
  'oauth_client.remove': ({ context, actor, params }) => removeClient(context, actor, params.id),
  'connected_app.list': ({ context, actor, query }) => listConnectedApps(context, actor.userId, query),
  'connected_app.remove': async ({ context, actor, params }) => {
    refuseImpersonation(actor);
    const { workspaceId, id: clientId } = params;
    await disconnectApp(context, actor.userId, { workspaceId, clientId });
  },
} satisfies Handlers<typeof oauthEndpoints>;

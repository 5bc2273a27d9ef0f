/** Webhooks as owners and admins manage them: created with a secret that is shown once, changed, tested, sent again. */
import { authorize } from '#shared/define/access.ts';
import { WEBHOOKS } from '#shared/webhooks/limits.ts';
import type { PageQuery } from '#shared/define/list-query.ts';
import { AppError } from '#shared/errors.ts';
import { newId, type Id } from '#shared/ids.ts';
import { webhook, webhookDelivery, type Webhook, type WebhookDelivery } from '#shared/webhooks/webhook.ts';
import type { Context } from '../context.ts';
import { insertWithinLimit } from '../db/insert-within-limit.ts';
import type { Member, SessionPerson } from '../http/call.ts';
import { listPage } from '../http/list-page.ts';
import { refuseImpersonation, requireProvenPerson } from '../http/person-checks.ts';
import { requireSendable } from '../providers/egress.ts';
import { presentCursor } from '../changes/service.ts';
import { insertDelivery } from './collect.ts';
import { sealStored, storeSecret } from '../stored-secret.ts';
import { newWebhookSecret, secretPlace } from './signature.ts';

type Manager = SessionPerson & Member;
type Fields = Pick<Webhook, 'url' | 'description' | 'events' | 'enabled'>;

const COLUMNS = webhook.keyof().options;
const DELIVERY_COLUMNS = webhookDelivery.keyof().options;

const webhooksOf = ({ db }: Context, { workspaceId }: Member) =>
  db.selectFrom('webhook').select(COLUMNS).where('webhook.workspaceId', '=', workspaceId);

/** One page of webhooks. @throws forbidden */
export function listWebhooks(context: Context, actor: Manager, query: PageQuery) {
  authorize(actor, 'webhook.manage');
  return listPage(webhooksOf(context, actor), { table: 'webhook', query });
}

/** One webhook. @throws not_found, forbidden */
export async function getWebhook(context: Context, actor: Manager, id: Id<'webhook'>): Promise<Webhook> {
  authorize(actor, 'webhook.manage');
  return webhooksOf(context, actor)
    .where('webhook.id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Webhook not found'));
}

/** Creates a webhook that sends what changes from now on. @throws forbidden, invalid, conflict */
export async function createWebhook(
  context: Context,
  actor: Manager,
  fields: Omit<Fields, 'enabled'>,
): Promise<Webhook & { secret: string }> {
  requireManager(actor);
  requireSendable(fields.url, context.config.egress);
  const now = context.clock.now().toISOString();
  const id = newId('webhook');
  const secret = newWebhookSecret();
  const row = {
    id,
    workspaceId: actor.workspaceId,
    ownerId: actor.userId,
    ...fields,
    ...storeSecret(context.secrets, secret, secretPlace(id)),
    enabled: true,
    disabledReason: null,
    cursor: await presentCursor(context, actor),
    failingSince: null,
    created: now,
    updated: now,
  };
  const limit = { workspaceId: actor.workspaceId, most: WEBHOOKS.perWorkspace, plural: 'webhooks' };
  await insertWithinLimit(context.db, { table: 'webhook', ...limit }, (trx) =>
    trx.insertInto('webhook').values(row).execute(),
  );
  return { ...(await getWebhook(context, actor, id)), secret };
}

/** Changes a webhook. @throws not_found, forbidden, invalid */
export async function updateWebhook(
  context: Context,
  actor: Manager,
  id: Id<'webhook'>,
  fields: Partial<Fields>,
): Promise<Webhook> {
  requireManager(actor);
  const before = await getWebhook(context, actor, id);
  const movesAway = fields.url !== undefined && fields.url !== before.url;
  if (movesAway) requireSendable(fields.url ?? '', context.config.egress);
  const isNewOwner = movesAway && before.ownerId !== actor.userId;
  await context.db
    .updateTable('webhook')
    .set({
      ...fields,
      ...(fields.enabled === true && { disabledReason: null, failingSince: null }),
      // No content visible only to the former owner is sent to an address that another person has chosen.
      ...(isNewOwner && { ownerId: actor.userId, cursor: await presentCursor(context, actor) }),
      updated: context.clock.now().toISOString(),
    })
    .where('workspaceId', '=', actor.workspaceId)
    .where('id', '=', id)
    .execute();
  return getWebhook(context, actor, id);
}

/** Removes a webhook. @throws not_found, forbidden */
export async function removeWebhook(context: Context, actor: Manager, id: Id<'webhook'>): Promise<void> {
  requireManager(actor);
  await getWebhook(context, actor, id);
  await context.db
    .deleteFrom('webhook')
    .where('workspaceId', '=', actor.workspaceId)
    .where('id', '=', id)
    .execute();
}

/** Replaces the secret. @throws not_found, forbidden */
export async function renewWebhookSecret(
  context: Context,
  actor: Manager,
  id: Id<'webhook'>,
): Promise<{ secret: string }> {
  requireManager(actor);
  await getWebhook(context, actor, id);
  const secret = newWebhookSecret();
  await context.db
    .updateTable('webhook')
    .set({
      ...storeSecret(context.secrets, secret, secretPlace(id)),
      updated: context.clock.now().toISOString(),
    })
    .where('workspaceId', '=', actor.workspaceId)
    .where('id', '=', id)
    .execute();
  return { secret };
}

/** Encrypts values stored before this server had a key. */
export const sealWebhookSecrets = (context: Pick<Context, 'db' | 'secrets'>): Promise<void> =>
  sealStored(context, {
    table: 'webhook',
    key: ['workspaceId', 'id'],
    placeOf: ({ id }) => secretPlace(id),
  });

/** Sends a test event. @throws not_found, forbidden, conflict when the webhook is disabled */
export async function testWebhook(
  context: Context,
  actor: Manager,
  id: Id<'webhook'>,
): Promise<WebhookDelivery> {
  const { enabled, ownerId } = await getWebhook(context, actor, id);
  if (!enabled) throw new AppError('conflict', 'Enable the webhook first');
  const { workspaceId } = actor;
  const event = { type: 'webhook.test', data: { workspaceId } } as const;
  const deliveryId = await context.db
    .transaction()
    .execute((trx) => insertDelivery(context, trx, { workspaceId, webhookId: id, ownerId, ...event }));
  return getDelivery(context, actor, { webhookId: id, id: deliveryId });
}

const deliveriesOf = ({ db }: Context, { workspaceId }: Member, webhookId: Id<'webhook'>) =>
  db
    .selectFrom('webhook_delivery')
    .select(DELIVERY_COLUMNS)
    .where('webhook_delivery.workspaceId', '=', workspaceId)
    .where('webhook_delivery.webhookId', '=', webhookId);

/** One page of the log. @throws not_found, forbidden */
export async function listDeliveries(
  context: Context,
  actor: Manager,
  { webhookId, query }: { webhookId: Id<'webhook'>; query: PageQuery },
) {
  await getWebhook(context, actor, webhookId);
  return listPage(deliveriesOf(context, actor, webhookId), { table: 'webhook_delivery', query });
}

interface DeliveryId {
  webhookId: Id<'webhook'>;
  id: Id<'webhook_delivery'>;
}

async function getDelivery(
  context: Context,
  actor: Manager,
  { webhookId, id }: DeliveryId,
): Promise<WebhookDelivery> {
  return deliveriesOf(context, actor, webhookId)
    .where('webhook_delivery.id', '=', id)
    .executeTakeFirstOrThrow(() => new AppError('not_found', 'Delivery not found'));
}

/** Sends a delivery again. @throws not_found, forbidden, conflict while it waits or after the webhook changed hands */
export async function replayDelivery(
  context: Context,
  actor: Manager,
  ref: DeliveryId,
): Promise<WebhookDelivery> {
  const { enabled, ownerId } = await getWebhook(context, actor, ref.webhookId);
  await getDelivery(context, actor, ref);
  if (!enabled) throw new AppError('conflict', 'Enable the webhook first');
  const { workspaceId } = actor;
  await context.db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('webhook_delivery')
      .set({ status: 'pending', attempts: 0, nextAt: null, updated: context.clock.now().toISOString() })
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', ref.id)
      .where('status', '!=', 'pending')
      .where('ownerId', '=', ownerId)
      .executeTakeFirst();
    if (numUpdatedRows === 0n)
      throw new AppError('conflict', 'It is on its way, or it was made for an earlier owner of the webhook');
    const job = { workspaceId, deliveryId: ref.id };
    await context.jobs.enqueue(trx, 'webhook.deliver', job, { group: ref.webhookId });
  });
  return getDelivery(context, actor, ref);
}

function requireManager(actor: Manager): void {
  authorize(actor, 'webhook.manage');
  refuseImpersonation(actor, 'Webhooks cannot be changed while impersonating');
  requireProvenPerson(actor);
}

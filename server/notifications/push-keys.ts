/** The key pair (VAPID, RFC 8292) that names this server to push services: from the configuration, or made on first use. */
import webpush from 'web-push';
import type { Context } from '../context.ts';
import { readSecret, sealStored, storeSecret } from '../stored-secret.ts';

/** Both keys in base64url, and where the operator of this server can be reached. */
export interface PushIdentity {
  publicKey: string;
  privateKey: string;
  subject: string;
}

type KeyContext = Pick<Context, 'config' | 'db' | 'clock' | 'secrets' | 'log'>;

const PLACE = 'push_key';

/** The identity of this server. A browser's subscription works only with the key it was made with, so keys stay. */
export async function pushIdentity(context: KeyContext): Promise<PushIdentity> {
  const { vapidPublicKey: publicKey, vapidPrivateKey: privateKey } = context.config;
  const subject = subjectOf(context.config);
  if (publicKey !== undefined && privateKey !== undefined) return { publicKey, privateKey, subject };
  return { ...(await storedKeys(context)), subject };
}

function subjectOf({ vapidSubject, appOrigin, mailFrom }: Context['config']): string {
  if (vapidSubject !== undefined) return vapidSubject;
  if (appOrigin.startsWith('https:')) return appOrigin;
  const address = /<([^<>]+)>$/.exec(mailFrom ?? '')?.[1] ?? mailFrom;
  return `mailto:${address ?? `admin@${new URL(appOrigin).hostname}`}`;
}

async function storedKeys(context: KeyContext): Promise<Pick<PushIdentity, 'publicKey' | 'privateKey'>> {
  const { db, clock, secrets, log } = context;
  const find = () =>
    db.selectFrom('push_key').select(['publicKey', 'secret', 'sealedSecret']).executeTakeFirst();
  const found = await find();
  const privateKey = found && readSecret(secrets, found, PLACE);
  if (found && privateKey !== undefined) return { publicKey: found.publicKey, privateKey };
  if (found && !secrets.isReady) throw new Error('The key for push messages needs SECRETS_KEY');
  if (found) {
    log.warn(
      'the key for push messages was encrypted with another SECRETS_KEY; browsers have to subscribe anew',
    );
    await db.deleteFrom('push_key').where('publicKey', '=', found.publicKey).execute();
  }
  const made = webpush.generateVAPIDKeys();
  // Another process may do the same at this moment; the first row stays.
  await db
    .insertInto('push_key')
    .values({
      publicKey: made.publicKey,
      ...storeSecret(secrets, made.privateKey, PLACE),
      created: clock.now().toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await find();
  const keptKey = kept && readSecret(secrets, kept, PLACE);
  if (!kept || keptKey === undefined)
    throw new Error('The keys for push messages are neither there nor could they be made');
  return { publicKey: kept.publicKey, privateKey: keptKey };
}

/** Encrypts values stored before this server had a key. */
export const sealPushKey = (context: Pick<Context, 'db' | 'secrets'>): Promise<void> =>
  sealStored(context, { table: 'push_key', key: ['publicKey'], placeOf: () => PLACE });

/** The key pair (VAPID, RFC 8292) that names this server to push services: from the configuration, or made on first use. */
import webpush from 'web-push';
import type { Context } from '../context.ts';

/** Both keys in base64url, and where the operator of this server can be reached. */
export interface PushIdentity {
  publicKey: string;
  privateKey: string;
  subject: string;
}

type KeyContext = Pick<Context, 'config' | 'db' | 'clock'>;

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

async function storedKeys({
  db,
  clock,
}: KeyContext): Promise<Pick<PushIdentity, 'publicKey' | 'privateKey'>> {
  const find = () => db.selectFrom('push_key').select(['publicKey', 'privateKey']).executeTakeFirst();
  const found = await find();
  if (found) return found;
  // Another process may do the same at this moment; the first row stays.
  await db
    .insertInto('push_key')
    .values({ ...webpush.generateVAPIDKeys(), created: clock.now().toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const made = await find();
  if (!made) throw new Error('The keys for push messages are neither there nor could they be made');
  return made;
}

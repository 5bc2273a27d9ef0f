/** The mails that a world has sent into its outbox, by recipient. */
import { expect } from 'vitest';
import type { OutboxMail } from '#server/providers/outbox.ts';
import type { World } from './world.ts';

/** All mails to this address, newest first. */
export function mailsTo({ context }: World, address: string): Promise<OutboxMail[]> {
  return context.db
    .selectFrom('mail_outbox')
    .select(['to', 'subject', 'text', 'html', 'created'])
    .where('to', '=', address)
    .orderBy('id', 'desc')
    .execute();
}

/** The newest mail to this address once so many have arrived; the world must work on jobs. */
export async function nextMail(world: World, address: string, count = 1): Promise<OutboxMail> {
  await expect.poll(() => mailsTo(world, address), { timeout: 60_000 }).toHaveLength(count);
  const [newest] = await mailsTo(world, address);
  if (!newest) throw new Error(`There is no mail to ${address}`);
  return newest;
}

/** The newest mail with this subject to this address once there is one; the world must work on jobs. */
export async function mailWith(world: World, address: string, subject: string): Promise<OutboxMail> {
  const find = async () => (await mailsTo(world, address)).find((mail) => mail.subject === subject);
  await expect.poll(find, { timeout: 60_000 }).toBeDefined();
  const found = await find();
  if (!found) throw new Error(`There is no mail “${subject}” to ${address}`);
  return found;
}

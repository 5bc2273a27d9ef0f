/** The mails of a running server without SMTP, as its local page shows them. */
import { expect } from '@playwright/test';

/** A mail of the outbox. */
export interface StoryMail {
  to: string;
  subject: string;
  text: string;
}

async function readOutbox(url: string): Promise<StoryMail[]> {
  const response = await fetch(`${url}/_outbox.json`);
  return response.json();
}

/** The newest mail with this subject to the address, once so many have arrived. */
export async function mailTo(url: string, to: string, subject: string, count = 1): Promise<StoryMail> {
  const find = async () =>
    (await readOutbox(url)).filter((mail) => mail.to === to && mail.subject === subject);
  const arrived = async () => (await find()).length;
  await expect.poll(arrived, { message: `${subject} to ${to}` }).toBeGreaterThanOrEqual(count);
  const [newest] = await find();
  if (!newest) throw new Error(`There is no mail “${subject}” to ${to}`);
  return newest;
}

/** The address in the mail's link. */
export function linkIn({ text }: StoryMail): string {
  return /^https?:\S+$/m.exec(text)?.[0] ?? '';
}

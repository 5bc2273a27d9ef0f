/**
 * `npm run approve-access -- 20` approves the twenty people who have waited longest; `npm run approve-access -- a@b.example`
 * approves the named ones. The running server sends the mails.
 */
import { normalizeEmail } from '#shared/email-address.ts';
import { EARLY_ACCESS } from '#shared/site/limits.ts';
import { approveAccess } from './site/service.ts';
import { runStaffCommand, say } from './staff-command.ts';

/** Parses the arguments. @throws Error with the usage */
function whichOf(given: readonly string[]): { emails: readonly string[] } | { count: number } {
  const [first] = given;
  if (given.length === 1 && /^\d+$/.test(first ?? '')) {
    const count = Number(first);
    if (count >= 1 && count <= EARLY_ACCESS.batchMax) return { count };
  }
  const emails = given.flatMap((text) => normalizeEmail(text) ?? []);
  if (given.length > 0 && emails.length === given.length) return { emails };
  throw new Error(
    `Name e-mail addresses, or how many people to let in (1 to ${EARLY_ACCESS.batchMax}): npm run approve-access -- 20`,
  );
}

runStaffCommand(whichOf, async (context, which) => {
  const approved = await approveAccess(context, which);
  say(approved === 1 ? '1 person was let in.' : `${approved} people were let in.`);
});

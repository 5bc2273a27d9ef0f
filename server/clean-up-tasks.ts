// Hourly clean-up tasks of all features. Only this table joins features to it.
import { forgetChallenges } from './accounts/passkey-assertion.ts';
import { forgetProviderRequests } from './accounts/provider-requests.ts';
import { endOverdueImpersonations } from './accounts/impersonation.ts';
import { purgeAccounts } from './accounts/purge.ts';
import { sealAppSecrets } from './accounts/second-factor.ts';
import { forgetAudit } from './audit/log.ts';
import { forgetReceivedMails } from './capture/mail/received-mail.ts';
import { sealMailAddresses } from './capture/mail/mail-address.ts';
import { removeExports } from './capture/exports/export-store.ts';
import { endUnanswered } from './capture/import-run.ts';
import { queueForgottenPages } from './capture/page-queue.ts';
import { removeExpiredUploads } from './capture/partial-upload.ts';
import { queuePreviews } from './capture/preview-store.ts';
import { forgetSiteIcons } from './capture/site-icons.ts';
import { sweepWebhooks } from './webhooks/collect.ts';
import { sealWebhookSecrets } from './webhooks/service.ts';
import { removeUnusedUploads } from './capture/upload-store.ts';
import type { Context } from './context.ts';
import { forgetRequests } from './http/forget-requests.ts';
import { forgetOauth } from './oauth/service.ts';
import { queueEmbeddings } from './memories/embedding-queue.ts';
import { sealPushKey } from './notifications/push-keys.ts';
import { sealSigningKeys } from './oauth/signing-keys.ts';
import { pruneOutbox } from './providers/outbox.ts';
import { forgetVisits } from './site/service.ts';
import type { CleanUpTask } from './sync/retention-schedule.ts';
import { forgetModelUsage, forgetVisitorThreads } from './threads/service.ts';
import { expireInvites, forgetInvites } from './workspaces/invite-rows.ts';
import { purgeWorkspaces } from './workspaces/purge.ts';

/** The tasks of this server. Accounts before workspaces: the last member of a workspace closes it. */
export function createCleanUpTasks(context: Context): CleanUpTask[] {
  return [
    (now) => endOverdueImpersonations(context, now),
    (now) => purgeAccounts(context, now),
    (now) => purgeWorkspaces(context, now),
    (now) => expireInvites(context.db, now),
    (now) => forgetInvites(context.db, now),
    (now) => forgetRequests(context.db, now),
    (now) => forgetOauth(context.db, now),
    (now) => forgetChallenges(context.db, now),
    (now) => forgetProviderRequests(context.db, now),
    (now) => forgetAudit(context.db, now),
    (now) => forgetVisits(context.db, now),
    (now) => forgetVisitorThreads(context, now),
    (now) => forgetModelUsage(context.db, now),
    (now) => queueForgottenPages(context.db, context.jobs, now),
    (now) => queuePreviews(context.db, context.jobs, now),
    () => queueEmbeddings(context),
    (now) => sweepWebhooks(context, now),
    () => sealWebhookSecrets(context),
    () => sealAppSecrets(context),
    () => sealMailAddresses(context),
    () => sealSigningKeys(context),
    () => sealPushKey(context),
    (now) => forgetReceivedMails(context.db, now),
    (now) => forgetSiteIcons(context.db, now),
    (now) => removeUnusedUploads(context, now),
    (now) => removeExpiredUploads(context.db, now),
    (now) => removeExports(context, now),
    (now) => endUnanswered(context, now),
    (now) => pruneOutbox(context.db, now),
  ];
}

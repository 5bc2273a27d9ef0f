// Handlers of all jobs; a job without a handler does not compile. Only this table joins features to the queue.
import { sendAccountMail } from './accounts/account-mails.ts';
import { endImpersonation } from './accounts/impersonation.ts';
import { abandonPage, capturePage } from './capture/capture-page.ts';
import { checkFeed, queueDueFeeds } from './capture/feeds/feed-check.ts';
import { abandonExport, runExport } from './capture/exports/export-run.ts';
import { abandonImport, runImport } from './capture/import-run.ts';
import { markPreviewed, previewUpload } from './capture/preview-store.ts';
import { runUndo, stopUndo } from './capture/import-undo.ts';
import { collectAnswer, collectForWebhooks } from './webhooks/collect.ts';
import { deliverWebhook } from './webhooks/deliver.ts';
import { createCleanUpTasks } from './clean-up-tasks.ts';
import type { Context } from './context.ts';
import { describeMemories } from './descriptions/describe-memories.ts';
import { nameThread } from './descriptions/name-thread.ts';
import type { JobHandlers, JobPayload } from './jobs/jobs.ts';
import { embedMemories } from './memories/embed-memories.ts';
import { mailDigest, mailNotification, queueDigests } from './notifications/mails.ts';
import { deliverNews } from './notifications/news.ts';
import { pushNotification } from './notifications/push.ts';
import { mailNews, postNews } from './site/news.ts';
import { sendAccessLink, sendNewsConfirmation } from './site/service.ts';
import { cleanUp } from './sync/retention-schedule.ts';
import { sendSharedMail } from './spaces/shared-mail.ts';
import { answerMessage, giveUpAnswer } from './threads/answer-message.ts';
import { queueForgottenAnswers } from './threads/forgotten-answers.ts';
import { settleAddress } from './workspaces/guests.ts';
import { sendInviteMail } from './workspaces/invite-mail.ts';

export function createJobHandlers(context: Context): JobHandlers {
  return {
    'import.run': {
      run: ({ importId }) => runImport(context, importId),
      giveUp: ({ importId }) => abandonImport(context, importId),
    },
    'import.undo': {
      run: (order) => runUndo(context, order),
      giveUp: ({ importId }) => stopUndo(context, importId),
    },
    'export.run': {
      run: ({ exportId }) => runExport(context, exportId),
      giveUp: ({ exportId }) => abandonExport(context, exportId),
    },
    'page.capture': {
      run: (address, job) => capturePage(context, address, job?.id),
      giveUp: (address) => abandonPage(context, address),
    },
    'file.preview': {
      run: ({ workspaceId, uploadId }) => previewUpload(context, { workspaceId, id: uploadId }),
      giveUp: ({ workspaceId, uploadId }) => markPreviewed(context, { workspaceId, id: uploadId }),
    },
    'feed.due': { run: () => queueDueFeeds(context) },
    'feed.check': { run: (address) => checkFeed(context, address) },
    'memory.embed': { run: ({ workspaceId }, job) => embedMemories(context, workspaceId, job?.id) },
    'memory.describe': { run: () => describeMemories(context) },
    'thread.name': { run: (thread) => nameThread(context, thread) },
    'message.answer': {
      run: (request) => answerMessage(context, request),
      giveUp: (request) => giveUpAnswer(context, request),
    },
    'message.answer_due': { run: () => queueForgottenAnswers(context) },
    'mail.send': { run: (payload) => sendMail(context, payload) },
    'notification.mail': { run: (address) => mailNotification(context, address) },
    'notification.push': { run: (address) => pushNotification(context, address) },
    'notification.digest': { run: () => queueDigests(context) },
    'notification.digest_mail': { run: (digest) => mailDigest(context, digest) },
    'news.deliver': { run: (news) => deliverNews(context, news) },
    'news.post': { run: ({ newsId }) => postNews(context, newsId) },
    'guest.settle': { run: ({ userId }) => settleAddress(context, userId) },
    'webhook.collect': { run: ({ workspaceId }) => collectForWebhooks(context, workspaceId) },
    'webhook.answered': { run: (ref) => collectAnswer(context, ref) },
    'webhook.deliver': { run: (ref) => deliverWebhook(context, ref) },
    'impersonation.end': { run: ({ sessionId }) => endImpersonation(context, sessionId) },
    'clean_up.run': { run: () => cleanUp(context, createCleanUpTasks(context)) },
  };
}

function sendMail(context: Context, payload: JobPayload<'mail.send'>): Promise<void> {
  switch (payload.mail) {
    case 'invite':
      return sendInviteMail(context, payload.inviteId);
    case 'shared':
      return sendSharedMail(context, payload);
    case 'confirm_news':
      return sendNewsConfirmation(context, payload.email);
    case 'access_approved':
      return sendAccessLink(context, payload.email);
    case 'news':
      return mailNews(context, payload);
    default:
      return sendAccountMail(context, payload);
  }
}

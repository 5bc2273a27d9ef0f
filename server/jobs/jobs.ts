// The table of jobs: the payload of each, its attempts, and its schedule. Handlers are in server/job-handlers.ts, which does
// not compile without one for each row.
import { z } from 'zod';
import { occasion } from '#shared/accounts/occasion.ts';
import { wayInChange } from '#shared/accounts/way-in-change.ts';
import { CAPTURE } from '#shared/capture/limits.ts';
import { ANSWERS } from '#shared/threads/limits.ts';
import { idOf } from '#shared/define/id-schema.ts';
import { grantResource } from '#shared/spaces/grant.ts';

export interface JobRow {
  payload: z.ZodType;
  /** Tries after the first, and the seconds before the second; the wait doubles with each try, up to an hour. */
  retry: { limit: number; delaySeconds: number };
  /** Jobs that a worker fetches and runs concurrently; one by default. */
  batch?: number;
  /** Workers of one process, each with jobs of another group; one by default. */
  workers?: number;
  /** Cron expression in UTC for scheduled jobs; their payload is an empty object. */
  schedule?: string;
}

/** Jobs that an earlier version of the server queued have none. */
const occasioned = { occasion: occasion.optional() };

export const JOBS = {
  /** Reads an archive into memories. */
  'import.run': {
    payload: z.object({ importId: idOf('upload') }),
    retry: { limit: 5, delaySeconds: 2 },
    workers: 2,
  },
  /** Undoes an import, in the name of the person who requested it. */
  'import.undo': {
    payload: z.object({ importId: idOf('upload'), userId: idOf('user') }),
    retry: { limit: 5, delaySeconds: 2 },
  },
  /** Writes a workspace into a zip. Each try begins anew. */
  'export.run': {
    payload: z.object({ exportId: idOf('export') }),
    retry: { limit: 3, delaySeconds: 10 },
  },
  /** Fetches the page behind a link. It settles temporary faults itself; a try here is a server that died. */
  'page.capture': {
    payload: z.object({ workspaceId: idOf('workspace'), memoryId: idOf('memory') }),
    retry: { limit: 4, delaySeconds: 15 },
    workers: CAPTURE.atOnce,
  },
  /** Draws the preview of a file that was stored before previews existed. */
  'file.preview': {
    payload: z.object({ workspaceId: idOf('workspace'), uploadId: idOf('upload') }),
    retry: { limit: 2, delaySeconds: 60 },
  },
  /** Finds the feeds that are due. */
  'feed.due': {
    payload: z.object({}),
    retry: { limit: 1, delaySeconds: 60 },
    schedule: '*/5 * * * *',
  },
  /** Looks for new entries of one feed. It settles faults of the site itself; a try here is a server that died. */
  'feed.check': {
    payload: z.object({ workspaceId: idOf('workspace'), feedId: idOf('feed') }),
    retry: { limit: 4, delaySeconds: 15 },
    workers: 2,
  },
  /** Makes the vectors of the memories that have none, or old ones. It settles faults of the model itself; a try here is a server that died. */
  'memory.embed': {
    payload: z.object({ workspaceId: idOf('workspace') }),
    retry: { limit: 4, delaySeconds: 15 },
    workers: 2,
  },
  /** Has the language models of workspaces describe new memories, where they may. It settles their faults itself. */
  'memory.describe': {
    payload: z.object({}),
    retry: { limit: 0, delaySeconds: 60 },
    schedule: '* * * * *',
  },
  /** Has the language model of a workspace name a thread after its first answer, where it may. */
  'thread.name': {
    payload: z.object({ workspaceId: idOf('workspace'), threadId: idOf('thread') }),
    retry: { limit: 2, delaySeconds: 60 },
  },
  /** Answers a message from what its author saved. */
  'message.answer': {
    payload: z.object({
      workspaceId: idOf('workspace'),
      messageId: idOf('message'),
      /** The answer to replace. */
      replaces: idOf('message').optional(),
      memoryIds: z.array(idOf('memory')).optional(),
      spaceIds: z.array(idOf('space')).optional(),
    }),
    retry: { limit: 4, delaySeconds: 5 },
    // One by one: a batch would wait for its slowest answer.
    workers: ANSWERS.atOnce,
  },
  /** Finds the messages that wait for an answer without a job. */
  'message.answer_due': {
    payload: z.object({}),
    retry: { limit: 1, delaySeconds: 60 },
    schedule: '*/5 * * * *',
  },
  /** Writes and sends one mail about an account, an invitation, early access or something shared. Its codes and links are made then, so that no job stores a secret. */
  'mail.send': {
    payload: z.discriminatedUnion('mail', [
      z.object({ mail: z.literal('verify_email'), userId: idOf('user'), ...occasioned }),
      z.object({ mail: z.literal('reset_password'), email: z.string(), ...occasioned }),
      z.object({ mail: z.literal('password_changed'), userId: idOf('user'), ...occasioned }),
      z.object({
        mail: z.literal('way_in_changed'),
        userId: idOf('user'),
        change: wayInChange,
        ...occasioned,
      }),
      z.object({ mail: z.literal('invite'), inviteId: idOf('invite') }),
      z.object({ mail: z.literal('confirm_news'), email: z.string() }),
      z.object({ mail: z.literal('access_approved'), email: z.string() }),
      z.object({ mail: z.literal('news'), newsId: z.uuid(), signupId: z.uuid() }),
      z.object({
        mail: z.literal('shared'),
        workspaceId: idOf('workspace'),
        resourceId: grantResource,
        email: z.string(),
        by: idOf('user'),
      }),
      /** To the new address, as long as this change is still wanted. */
      z.object({ mail: z.literal('change_email'), userId: idOf('user'), email: z.string(), ...occasioned }),
      /** To the address that the account had before. */
      z.object({ mail: z.literal('email_changed'), userId: idOf('user'), email: z.string(), ...occasioned }),
    ]),
    retry: { limit: 8, delaySeconds: 15 },
    batch: 10,
  },
  /** Mails one notification, if the person still wants it by mail. */
  'notification.mail': {
    payload: z.object({ userId: idOf('user'), notificationId: idOf('notification') }),
    retry: { limit: 8, delaySeconds: 15 },
    batch: 10,
  },
  /** Sends one notification to one browser. */
  'notification.push': {
    payload: z.object({
      userId: idOf('user'),
      notificationId: idOf('notification'),
      sessionId: idOf('session'),
    }),
    retry: { limit: 5, delaySeconds: 30 },
    batch: 10,
  },
  /** Finds the people whose digest is due. */
  'notification.digest': {
    payload: z.object({}),
    retry: { limit: 1, delaySeconds: 60 },
    schedule: '*/5 * * * *',
  },
  /** Mails one person's digest of waiting notifications. */
  'notification.digest_mail': {
    payload: z.object({ userId: idOf('user'), until: z.iso.datetime() }),
    retry: { limit: 8, delaySeconds: 15 },
    batch: 10,
  },
  /** Notifies some people of news, and queues itself for those after them. */
  'news.deliver': {
    payload: z.object({
      /** The same for all people and tries. */
      subject: z.string(),
      title: z.string(),
      body: z.string(),
      link: z.string().optional(),
      /** The last person who has been notified. */
      after: idOf('user').optional(),
    }),
    retry: { limit: 8, delaySeconds: 15 },
  },
  /** Queues the mails of news to some newsletter addresses, and itself for those after them. */
  'news.post': {
    payload: z.object({ newsId: z.uuid() }),
    retry: { limit: 8, delaySeconds: 15 },
  },
  /** Assigns the grants of an address to its account, and removes those of an earlier address. */
  'guest.settle': {
    payload: z.object({ userId: idOf('user') }),
    retry: { limit: 8, delaySeconds: 5 },
  },
  /** Creates deliveries for the changes of a workspace with webhooks. */
  'webhook.collect': {
    payload: z.object({ workspaceId: idOf('workspace') }),
    retry: { limit: 5, delaySeconds: 5 },
  },
  /** Makes deliveries of an answer, for webhooks whose owners read its thread. */
  'webhook.answered': {
    payload: z.object({ workspaceId: idOf('workspace'), messageId: idOf('message') }),
    retry: { limit: 5, delaySeconds: 5 },
  },
  /** Sends one delivery. It settles refusals itself; a try here is a server that died. */
  'webhook.deliver': {
    payload: z.object({ workspaceId: idOf('workspace'), deliveryId: idOf('webhook_delivery') }),
    retry: { limit: 4, delaySeconds: 15 },
    workers: 4,
  },
  /** Ends a session in which staff act as another person. */
  'impersonation.end': {
    payload: z.object({ sessionId: idOf('session') }),
    retry: { limit: 8, delaySeconds: 15 },
  },
  /** Removes what has run out: old feed entries, closed accounts and workspaces, bookkeeping of requests. */
  'clean_up.run': {
    payload: z.object({}),
    retry: { limit: 1, delaySeconds: 60 },
    schedule: '17 * * * *',
  },
} as const satisfies Record<string, JobRow>;

export type JobName = keyof typeof JOBS;
export type JobPayload<N extends JobName> = z.output<(typeof JOBS)[N]['payload']>;

/** One job, the same in all of its attempts. */
interface RunningJob {
  id: string;
}

/** Handler of a job. Delivery is at least once, so `run` must be idempotent. */
interface JobHandler<N extends JobName> {
  /** A throw means that the job is tried again later. */
  run(payload: JobPayload<N>, job?: RunningJob): Promise<unknown>;
  /** Called once when the last try has failed or its process has died, to leave a state that people can see. */
  giveUp?(payload: JobPayload<N>): Promise<unknown>;
}
export type JobHandlers = { [N in JobName]: JobHandler<N> };

/**
 * Mail of a server without SMTP, for development and trials: `/_outbox` shows it and `/_outbox.json` returns it, newest
 * first. Only direct requests from this machine are served, and in production neither address exists.
 */
import { DAY_MS } from '#shared/constants.ts';
import { Router, type Request, type RequestHandler } from 'express';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { isFromThisMachine } from '../http/caller-address.ts';
import type { Mail } from './mailer.ts';
import { escapeHtml } from './mail-layout.ts';

const SHOWN = 100;
const KEEP_DAYS = 7;

/** A mail and when it would have been sent. */
export interface OutboxMail extends Pick<Mail, 'to' | 'subject' | 'text' | 'html'> {
  created: string;
}

/** Whether this server has an outbox that people may look at. */
export function showsOutbox({ env, smtpUrl }: Pick<Config, 'env' | 'smtpUrl'>): boolean {
  return env !== 'production' && smtpUrl === undefined;
}

export function outboxRoutes(db: Database): Router {
  const routes = Router();
  routes.use(['/_outbox', '/_outbox.json'], refuseOthers, outboxHeaders);
  routes.get('/_outbox.json', async (_req, res) => {
    res.json(await newestMails(db));
  });
  routes.get('/_outbox', async (_req, res) => {
    res.type('html').send(outboxPage(await newestMails(db)));
  });
  return routes;
}

/** Deletes mails older than a week. */
export async function pruneOutbox(db: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEEP_DAYS * DAY_MS).toISOString();
  await db.deleteFrom('mail_outbox').where('created', '<', before).execute();
}

function newestMails(db: Database): Promise<OutboxMail[]> {
  return db
    .selectFrom('mail_outbox')
    .select(['to', 'subject', 'text', 'html', 'created'])
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute();
}

const LOCAL_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/** A page of another site could reach this machine under a name of its own, so the name is checked as well. */
const mayLook = (req: Request) => isFromThisMachine(req) && LOCAL_NAMES.has(req.hostname);

const refuseOthers: RequestHandler = (req, _res, next) => next(mayLook(req) ? undefined : 'router');

const outboxHeaders: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', 'no-store');
  res.set(
    'Content-Security-Policy',
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  );
  next();
};

function outboxPage(mails: readonly OutboxMail[]): string {
  const items = mails.map(
    ({ to, subject, text, created }) => `<article>
<h2>${escapeHtml(subject)}</h2>
<p>To ${escapeHtml(to)}, <time datetime="${created}">${created}</time></p>
<pre>${linked(text)}</pre>
</article>`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Outbox</title>
<style>body{max-width:720px;margin:2rem auto;padding:0 1rem;font:16px/1.5 system-ui}pre{white-space:pre-wrap;overflow-wrap:anywhere}article{border-top:1px solid}</style>
<h1>Outbox</h1>
<p>No SMTP server is configured, so mail stays here. Newest first.</p>
${items.join('\n') || '<p>No mail yet.</p>'}
</html>
`;
}

function linked(text: string): string {
  return escapeHtml(text).replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`);
}

// The report of visitors without JavaScript: the form on a public page posts to the page's own address, and the browser is
// redirected to it with the outcome. Limits and rules are those of the API, which is called for the visitor.
import express, { type Express, type Request, type RequestHandler } from 'express';
import { PAGES } from '#shared/pages.ts';
import type { CallApi } from '#shared/site/render.ts';
import { redirectTo } from '../http/redirect.ts';
import { pathParams } from './shared-files.ts';
import { findMemory, findSpace, findThread } from './shared-things.ts';

/** Outcome of a report; the page has a message for each. */
type Outcome = 'ok' | 'invalid' | 'later';

type CallApiFor = (req: Request) => CallApi;

/** The resource at the address, with the fields that a report names. */
type Find = (callApi: CallApi, req: Request) => Promise<Subject | undefined>;

interface Subject {
  id: string;
  workspaceId: string;
  memoryId?: string;
}

/** Size for the longest allowed fields, in any script; the API validates the report, and the page shows the error. */
const readForm = express.urlencoded({ extended: false, limit: '20kb' });

/** Mounts the POST routes; their GET is a page. */
export function mountReportForms(app: Express, callApiFor: CallApiFor): void {
  const mount = (path: string, call: string, find: Find) =>
    app.post(path, refuseOtherSites('reported', '#report'), readForm, async (req, res) => {
      const outcome = await send(callApiFor(req), call, { req, find });
      redirectTo(res, 303, `${req.path}?reported=${outcome}#report`);
    });
  mount(PAGES.public_space.path, '/v1/public/spaces/report', (callApi, req) =>
    findSpace(callApi, pathParams(req)),
  );
  mount(PAGES.public_memory.path, '/v1/public/spaces/report', async (callApi, req) => {
    const found = await findMemory(callApi, pathParams(req));
    return found && { id: found.space.id, workspaceId: found.space.workspaceId, memoryId: found.memory.id };
  });
  mount(PAGES.public_thread.path, '/v1/public/threads/report', (callApi, req) =>
    findThread(callApi, pathParams(req)),
  );
}

/** Another site's page must not make its visitors report or ask; browsers say where a form comes from. */
export const refuseOtherSites =
  (outcome: string, place: string): RequestHandler =>
  (req, res, next) => {
    const site = req.get('sec-fetch-site');
    if (site === undefined || site === 'same-origin') return next();
    redirectTo(res, 303, `${req.path.replace(/\/ask$/, '')}?${outcome}=later${place}`);
  };

/** The response is the same for resources that do not exist, as in the API. */
async function send(
  callApi: CallApi,
  call: string,
  { req, find }: { req: Request; find: Find },
): Promise<Outcome> {
  try {
    const found = await find(callApi, req);
    if (found) {
      const { id, workspaceId, memoryId } = found;
      await callApi('POST', call, { ...wordsOf(req), id, workspaceId, ...(memoryId && { memoryId }) });
    }
    return 'ok';
  } catch (error) {
    if (!(error instanceof Response) || error.status >= 500) throw error;
    return error.status === 429 ? 'later' : 'invalid';
  }
}

/** Fields that were left empty are not sent; the API validates all others. */
function wordsOf(req: Request): Record<string, unknown> {
  const given: Record<string, unknown> = req.body ?? {};
  const fields = ['reason', 'details', 'email'].map((name) => [name, given[name]] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined && value !== ''));
}

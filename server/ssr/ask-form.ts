// The question of visitors without JavaScript: the form on the page of a public space posts here, and the browser is sent to
// the page of the answer, or back to the form with the error. Limits and rules are those of the API.
import express, { type Express, type Request } from 'express';
import { z } from 'zod';
import { publicSpacePath } from '#shared/citation-path.ts';
import { PAGES, pathTo } from '#shared/pages.ts';
import type { CallApi } from '#shared/site/render.ts';
import { publicThread } from '#shared/threads/public-thread.ts';
import { redirectTo } from '../http/redirect.ts';
import { refuseOtherSites } from './report-form.ts';
import { pathParams } from './shared-files.ts';
import { findSpace } from './shared-things.ts';

/** Size for the longest allowed question, in any script. */
const readForm = express.urlencoded({ extended: false, limit: '20kb' });
const answered = z.object({ thread: publicThread });

export function mountAskForm(app: Express, callApiFor: (req: Request) => CallApi): void {
  const path = `${PAGES.public_space.path}/ask`;
  app.post(path, refuseOtherSites('asked', '#ask'), readForm, async (req, res) => {
    const callApi = callApiFor(req);
    const space = await findSpace(callApi, pathParams(req));
    if (!space) {
      redirectTo(res, 303, req.path.replace(/\/ask$/, ''));
      return;
    }
    const { content, website }: { content?: unknown; website?: unknown } = req.body ?? {};
    try {
      const body = {
        workspaceId: space.workspaceId,
        spaceId: space.id,
        content,
        ...(website ? { website } : {}),
      };
      const { thread } = answered.parse(await callApi('POST', '/v1/public/threads', body));
      redirectTo(
        res,
        303,
        pathTo('public_thread', { workspace_slug: thread.workspace.slug, thread_id: thread.id }),
      );
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === undefined) throw error;
      redirectTo(res, 303, `${publicSpacePath(space)}?asked=${outcome}#ask`);
    }
  });
}

/** Outcome that the page has a message for; undefined for server errors. */
function outcomeOf(error: unknown): 'invalid' | 'off' | 'later' | undefined {
  if (!(error instanceof Response)) return undefined;
  if (error.status === 403) return 'off';
  if (error.status === 429 || error.status === 503) return 'later';
  return error.status < 500 ? 'invalid' : undefined;
}

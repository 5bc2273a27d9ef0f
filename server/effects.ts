// The effects of all features under the names of their mutators; a misspelt name or a wrong argument type does not
// compile. Only this table joins features to run-mutation.
import { withAudit } from './audit/mutation-audit.ts';
import type { Context } from './context.ts';
import type { Effects } from './db/effect.ts';
import { queuePage } from './capture/page-queue.ts';
import { createMemoryEffects } from './memories/effects.ts';
import { createSpaceEffects } from './spaces/effects.ts';
import { createGrantEffects } from './spaces/grants.ts';
import { announceOpened } from './spaces/service.ts';
import { enqueueAnswer } from './threads/answer-message.ts';
import { createThreadEffects } from './threads/effects.ts';
import { settleQuotes } from './threads/service.ts';

/** Effects of all features; those that enqueue jobs or send messages receive their dependencies here. */
export function createEffects({ jobs }: Omit<Context, 'effects'>): Effects {
  return withAudit({
    ...createMemoryEffects((tx, id) => queuePage(jobs, tx, id)),
    ...createSpaceEffects(jobs),
    ...createGrantEffects(jobs, settleQuotes),
    ...createThreadEffects({
      queueAnswer: (tx, request) => enqueueAnswer(jobs, tx, request),
      announceOpened: (tx, opened) => announceOpened(jobs, tx, opened),
    }),
  });
}

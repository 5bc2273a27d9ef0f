// The effects of all features under the names of their mutators; a misspelt name or a wrong argument type does not
// compile. Only this table joins features to run-mutation.
import type { Context } from './context.ts';
import type { Effects } from './db/effect.ts';
import { memoryEffects } from './memories/effects.ts';
import { spaceEffects } from './spaces/effects.ts';

/** What this server adds to mutators; effects that enqueue or send something take it from the context. */
export function createEffects(_context: Omit<Context, 'effects'>): Effects {
  return { ...memoryEffects, ...spaceEffects };
}

// All mutations collected under their public names. Replicas replay old names after an upgrade: a name or an
// argument shape is never changed, only added (tests/contract holds a snapshot).
import type { z } from 'zod';
import type { MutatorConfig } from './define/mutator.ts';
import type { MutableKind } from './kinds.ts';
import { memoryMutators } from './memories/mutators.ts';
import { notificationMutators } from './notifications/mutators.ts';
import { grantMutators } from './spaces/grant-mutators.ts';
import { spaceMutators } from './spaces/mutators.ts';
import { sidebarMutators } from './spaces/sidebar-mutators.ts';
import { syncMutators } from './sync/mutators.ts';
import { threadMutators } from './threads/mutators.ts';
import { workspaceMutators } from './workspaces/mutators.ts';

const ALL = {
  ...memoryMutators,
  ...spaceMutators,
  ...grantMutators,
  ...sidebarMutators,
  ...threadMutators,
  ...workspaceMutators,
  ...notificationMutators,
  ...syncMutators,
} as const;

type KindOf<N> = N extends `${infer K}.${string}` ? K : never;

/** Requires a mutator for each mutable kind, so that a kind without one does not compile. */
type Complete<M> = M & {
  [K in Exclude<MutableKind, KindOf<keyof M>> as `${K}.create`]: MutatorConfig<z.ZodType>;
};

export const MUTATORS: Complete<typeof ALL> = ALL;

export type MutatorName = keyof typeof MUTATORS;
export type MutatorArgs<N extends MutatorName> = z.input<(typeof MUTATORS)[N]['args']>;

/** The declaration behind a name, for code that gets the name from outside; undefined when there is none. */
export function findMutator(name: string): MutatorConfig<z.ZodType> | undefined {
  if (!Object.hasOwn(MUTATORS, name)) return undefined;
  return new Map<string, unknown>(Object.entries(MUTATORS)).get(name) as MutatorConfig<z.ZodType>;
}

/**
 * The first steps in a workspace: which of them a person can do, which are done as far as the replica knows, and that the list
 * was closed. The server stores the latter for all devices; until it has received it, it waits on this one.
 */
import { useEffect } from 'react';
import { can, type Actor } from '#shared/permissions.ts';
import { api } from '#client/api/session-client.ts';
import { refreshPerson, useImpersonated, usePerson } from '#client/api/session.ts';
import { useQuery } from '#client/replica/use-query.ts';
import type { ReplicaView } from '#client/replica/view.ts';
import { createStore, useStore } from '#client/shell/external-store.ts';
import { installOffer, isInstalled } from '#client/shell/install.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';
import { useActor } from '#client/workspaces/queries.ts';

export type StepName = 'save' | 'bring' | 'space' | 'ask' | 'install' | 'invite';

export interface Step {
  name: StepName;
  done: boolean;
}

type Facts = Readonly<Record<StepName, boolean>>;

/** A list of one is none. */
const FEWEST_STEPS = 2;

/** Own activity only; samples and imports do not count as saves. */
function readFacts(view: ReplicaView): Facts {
  const { userId } = view;
  const facts = { save: false, bring: false, install: false };
  for (const { createdBy, origin } of view.list('memory')) {
    if (createdBy !== userId) continue;
    if (origin === 'import' || origin === 'system') facts.bring = true;
    else facts.save = true;
    if (origin === 'browser_extension') facts.install = true;
  }
  return {
    ...facts,
    // The space of the samples has no known origin.
    space: view.list('space').some((row) => row.createdBy === userId && row.origin !== 'unknown'),
    ask: view.list('thread').some((row) => row.createdBy === userId),
    invite: view.count('workspace_member') > 1,
  };
}

/** The steps that the actor has the rights for, in their order; none where there is no list to make. */
export function stepsFor(actor: Actor, facts: Facts, installable: boolean): readonly Step[] {
  if (actor.position === 'guest') return [];
  const open: Readonly<Record<StepName, boolean>> = {
    save: can(actor, 'memory.create'),
    bring: can(actor, 'memory.create'),
    space: can(actor, 'space.create'),
    ask: can(actor, 'thread.create'),
    install: installable || facts.install,
    invite: can(actor, 'invite.create', { position: 'member' }),
  };
  const names: readonly StepName[] = ['save', 'bring', 'space', 'ask', 'install', 'invite'];
  const steps = names.filter((name) => open[name]).map((name) => ({ name, done: facts[name] }));
  return steps.length < FEWEST_STEPS ? [] : steps;
}

/** The steps of the open workspace, ticked. */
export function useSteps(): readonly Step[] {
  const actor = useActor();
  const facts = useQuery(readFacts, []);
  const { way } = useStore(installOffer);
  const installed = isInstalled();
  return stepsFor(actor, { ...facts, install: facts.install || installed }, installed || way !== 'none');
}

/** Id of the person whose closed list the server does not know yet. */
const UNSENT = 'loci-checklist-closed';
/** Closed on this page: the person as last loaded may be older. */
const closedHere = createStore<string | undefined>(undefined);

async function sendClosed(): Promise<void> {
  try {
    await api('auth.update', { body: { checklistClosedAt: new Date().toISOString() } });
    writeSetting(UNSENT, undefined);
    await refreshPerson();
  } catch (failure) {
    console.info('The closed list of first steps is not on the server yet', failure);
  }
}

/** Closes the list for this person, on all devices as soon as the server can be reached. */
export function closeChecklist(userId: string): void {
  writeSetting(UNSENT, userId);
  closedHere.set(userId);
}

/** The person whose list is open, while it sends what waits; undefined while nothing is known, and for staff who look at it as that person. */
export function useOpenChecklist(): string | undefined {
  const user = usePerson()?.user;
  const isImpersonated = useImpersonated();
  const closed = useStore(closedHere);
  const isOnline = useIsOnline();
  const isUnsent = user !== undefined && !isImpersonated && readSetting(UNSENT) === user.id;
  useEffect(() => {
    if (isUnsent && isOnline) void sendClosed();
  }, [isUnsent, isOnline]);
  // A device that remembers the person from before there was a list waits for the server's word.
  if (!user || isImpersonated || isUnsent || user.checklistClosedAt !== null || closed === user.id)
    return undefined;
  return user.id;
}

// Who may see which page as a pure function: facts in, decision out. The router calls it before a page loads; access is decided
// nowhere else.
import type { Guard } from '#shared/pages.ts';
import { onboardingStep, type GuardPerson } from '#client/api/onboarding-step.ts';

export interface GuardVisit {
  guard: Guard;
  /** Path with query and hash. */
  target: string;
  /** Slug in the address, if the page has one. */
  workspaceSlug: string | undefined;
  /** Undefined without a session. */
  person: GuardPerson | undefined;
}

/** on = show the page; redirect replaces the entry of the history; not-found shows the page of unknown addresses. */
export type GuardDecision = { go: 'on' } | { go: 'redirect'; to: string } | { go: 'not-found' };

const ON: GuardDecision = { go: 'on' };

const to = (path: string): GuardDecision => ({ go: 'redirect', to: path });

/** Decides about a visit; the first matching rule wins. */
export function guardDecision({ guard, target, workspaceSlug, person }: GuardVisit): GuardDecision {
  if (guard === 'none') return ON;
  if (!person) return to(`/login?redirect=${encodeURIComponent(target)}`);
  if (guard === 'session') return ON;
  const step = onboardingStep(person);
  if (step !== undefined) return to(step);
  // A workspace that exists but is not theirs looks exactly like one that does not exist.
  if (workspaceSlug !== undefined && !person.workspaceSlugs.includes(workspaceSlug)) {
    return { go: 'not-found' };
  }
  return ON;
}

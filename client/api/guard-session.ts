// The session as the guards of pages see it: the device's answer first, the server's when the device would refuse.
import { AppError } from '#shared/errors.ts';
import type { GuardPerson } from '#client/api/onboarding-step.ts';
import { api } from '#client/api/session-client.ts';
import {
  currentPerson,
  loadPerson,
  refreshPerson,
  sessionToken,
  wasJustChecked,
  type Person,
} from '#client/api/session.ts';
import type { GuardSession } from '#client/api/guards.ts';
import { offlineFailure } from '#client/shell/offline-failure.ts';

/** The facts that guards decide on. */
function guardPersonOf(person: Person): GuardPerson {
  return {
    forename: person.user.forename,
    emailVerified: person.user.emailVerified,
    workspaceSlugs: person.workspaces.map(({ slug }) => slug),
  };
}

async function refreshed(): Promise<GuardPerson | undefined> {
  if (sessionToken() === undefined) return undefined;
  const known = currentPerson();
  if (known && wasJustChecked(known) && known.workspaces.length > 0) return guardPersonOf(known);
  try {
    return guardPersonOf(await refreshPerson());
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthorized') return undefined;
    // Without a response, the person stored on this device is used; without that either, the failure is thrown.
    if (known) return guardPersonOf(known);
    throw error instanceof TypeError ? offlineFailure() : error;
  }
}

/** Links into a workspace outlive a change of its address. @throws network, when neither device nor server can resolve it */
async function movedTo(slug: string): Promise<string | undefined> {
  try {
    const { result } = await api('workspace.get_by_slug', { params: { slug } });
    const isMine = currentPerson()?.workspaces.some((workspace) => workspace.slug === result.slug);
    return isMine && result.slug !== slug ? result.slug : undefined;
  } catch (error) {
    if (error instanceof TypeError) throw offlineFailure();
    console.info('guard: no other address is known for this one', error);
    return undefined;
  }
}

export const guardSession: GuardSession = {
  async person() {
    const person = await loadPerson();
    return person && guardPersonOf(person);
  },
  refreshed,
  movedTo,
};

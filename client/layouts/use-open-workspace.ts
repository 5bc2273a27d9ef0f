/**
 * Which workspace the address means, as far as this device knows. When the workspace gets another address while it is open,
 * here or elsewhere, the page can follow.
 */
import { useEffect, useState } from 'react';
import { refreshPerson, usePerson, type Membership } from '#client/api/session.ts';
import { useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** Workspace that the address resolves to: the workspace, its current address after a rename, or a lost one. */
export interface OpenWorkspace {
  workspace: Membership | undefined;
  movedTo: string | undefined;
  /** It was open, and the person is no member any more. */
  isLost: boolean;
}

/** Remembers what the address meant when the page was opened. */
export function useOpenWorkspace(): OpenWorkspace {
  const slug = useWorkspaceSlug();
  const person = usePerson();
  const [last, setLast] = useState<Membership>();
  const found = person?.workspaces.find((workspace) => workspace.slug === slug);
  if (found !== undefined && (last?.id !== found.id || last.slug !== slug || last.name !== found.name))
    setLast(found);
  const before = found === undefined && last?.slug === slug ? last : undefined;
  const movedTo = before && person?.workspaces.find((each) => each.id === before.id)?.slug;
  const isLost = person !== undefined && before !== undefined && movedTo === undefined;
  return { workspace: found ?? before, movedTo, isLost };
}

/** Below the replica: its row has a new address first; the list of the person's workspaces is then fetched again. */
export function useFreshAddress(): void {
  const slug = useWorkspaceSlug();
  const current = useWorkspace()?.slug;
  useEffect(() => {
    if (current === undefined || current === slug) return;
    refreshPerson().catch((error: unknown) => console.info('The new address is not confirmed yet', error));
  }, [current, slug]);
}

/**
 * Which workspace the address means, as far as this device knows. When the workspace gets another address while it is
 * open, here or elsewhere, the page can move along.
 */
import { useEffect, useState } from 'react';
import type { Id } from '#shared/ids.ts';
import { refreshPerson, usePerson } from '#client/api/session.ts';
import { useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';

/** What the address leads to: a workspace, the address it has now, or nothing any more. */
export interface OpenWorkspace {
  id: Id<'workspace'> | undefined;
  movedTo: string | undefined;
  /** It was open, and the person is no member any more. */
  gone: boolean;
}

/** Remembers what the address meant when the page was opened. */
export function useOpenWorkspace(): OpenWorkspace {
  const slug = useWorkspaceSlug();
  const person = usePerson();
  const [last, setLast] = useState<{ slug: string; id: Id<'workspace'> }>();
  const id = person?.workspaces.find((workspace) => workspace.slug === slug)?.id;
  if (id !== undefined && (last?.slug !== slug || last.id !== id)) setLast({ slug, id });
  const before = id === undefined && last?.slug === slug ? last.id : undefined;
  const movedTo =
    before === undefined ? undefined : person?.workspaces.find((each) => each.id === before)?.slug;
  return { id, movedTo, gone: person !== undefined && before !== undefined && movedTo === undefined };
}

/** Below the replica: its row tells of a new address first; the list of the person's workspaces is then asked again. */
export function useFreshAddress(): void {
  const slug = useWorkspaceSlug();
  const current = useWorkspace()?.slug;
  useEffect(() => {
    if (current === undefined || current === slug) return;
    refreshPerson().catch((error: unknown) => console.info('The new address is not confirmed yet', error));
  }, [current, slug]);
}

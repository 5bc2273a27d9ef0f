/**
 * Addresses of spaces: one derived from a name, and whether a typed one is free as far as is known. This device checks the
 * spaces it has; online the server checks the others.
 */
import { useEffect, useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { slugify } from '#shared/define/fields.ts';
import { ERRORS } from '#shared/errors.ts';
import { type Space, spaceSlug } from '#shared/spaces/space.ts';
import { ApiProblem } from '#client/api/api-problem.ts';
import { api } from '#client/api/session-client.ts';

/** Pause in typing before the server is queried, in milliseconds. */
const ASK_AFTER_MS = 300;

/** An address for a name that none of these spaces has. */
export function suggestSpaceSlug(name: string, spaces: readonly Pick<Space, 'slug'>[]): string {
  if (name.trim() === '') return '';
  const taken = new Set(spaces.map(({ slug }) => slug));
  const base = slugify(name);
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : `-${number}`;
    const slug = `${base.slice(0, LIMITS.slugMax - suffix.length).replace(/-+$/, '')}${suffix}`;
    if (!taken.has(slug) && spaceSlug.safeParse(slug).success) return slug;
  }
}

interface SlugQuestion {
  workspaceSlug: string;
  slug: string;
  /** The space that has it already, when it is being edited. */
  ownId: string | undefined;
  spaces: readonly Pick<Space, 'id' | 'slug'>[];
}

async function holderOnServer(workspaceSlug: string, slug: string, signal: AbortSignal) {
  try {
    const { result } = await api('space.get_by_slug', { params: { workspaceSlug, slug } }, { signal });
    return result.id;
  } catch (failure) {
    // No space has it. Any other failure leaves the question open, and the server decides on saving.
    if (failure instanceof ApiProblem && failure.status === ERRORS.not_found.status) return undefined;
    console.info('spaces: the address could not be checked', failure);
    return undefined;
  }
}

/** Whether another space has the address; false while that is unknown. */
export function useSlugTaken({ workspaceSlug, slug, ownId, spaces }: SlugQuestion): boolean {
  const [takenOnServer, setTakenOnServer] = useState<string>();
  const here = spaces.some((space) => space.slug === slug && space.id !== ownId);
  const own = spaces.some((space) => space.slug === slug && space.id === ownId);
  const worthAsking = !here && !own && spaceSlug.safeParse(slug).success;
  useEffect(() => {
    if (!worthAsking) return undefined;
    const leave = new AbortController();
    const timer = setTimeout(() => {
      void holderOnServer(workspaceSlug, slug, leave.signal).then((id) => {
        if (!leave.signal.aborted) setTakenOnServer(id !== undefined && id !== ownId ? slug : undefined);
      });
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [workspaceSlug, slug, ownId, worthAsking]);
  return here || (slug !== '' && takenOnServer === slug);
}

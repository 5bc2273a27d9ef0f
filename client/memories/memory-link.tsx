/**
 * A link that opens a memory over the present page. Inside the viewer it replaces the open memory, and going back leads to the
 * memory before; closing leads to the page.
 */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { searchWithMemory, stateOfNextMemory } from '#client/shell/memory-address.ts';

interface MemoryLinkProps {
  id: string;
  className?: string;
  children: ReactNode;
}

/** Styled by its parent. */
export function MemoryLink({ id, className, children }: MemoryLinkProps) {
  const { pathname, search, state } = useLocation();
  return (
    <Link
      to={{ pathname, search: searchWithMemory(search, id) }}
      state={stateOfNextMemory(search, state)}
      preventScrollReset
      {...(className === undefined ? {} : { className })}
    >
      {children}
    </Link>
  );
}

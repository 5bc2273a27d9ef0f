/**
 * The parameters `memory` and `passage` of an address: which memory is open over a dashboard page, and which citation led to
 * it. Builds and reads addresses only.
 */
import { useCallback } from 'react';
import { useLocation, useNavigate } from 'react-router';

const PARAMETER = 'memory';
const PASSAGE = 'passage';

export interface MemoryLinkState {
  /** Opened from inside the app, so closing may simply go back. */
  overPage: true;
  edit?: boolean;
  /** Memories that were opened one from the other: closing leads back over all of them. */
  depth?: number;
}

export function memoryInSearch(search: string): string | undefined {
  return new URLSearchParams(search).get(PARAMETER) ?? undefined;
}

/** A citation: the message that cites, and the number of the source, from 1. Not its words, which servers would log. */
export interface CitedPlace {
  messageId: string;
  number: number;
}

/** The citation that led to the open memory. */
export function passageInSearch(search: string): CitedPlace | undefined {
  const [messageId = '', number] = new URLSearchParams(search).get(PASSAGE)?.split('.') ?? [];
  return messageId === '' ? undefined : { messageId, number: Number(number) };
}

/** The search part with a memory open, or with none. */
export function searchWithMemory(search: string, memoryId: string | undefined, passage?: CitedPlace): string {
  const params = new URLSearchParams(search);
  if (memoryId === undefined) params.delete(PARAMETER);
  else params.set(PARAMETER, memoryId);
  if (passage === undefined) params.delete(PASSAGE);
  else params.set(PASSAGE, `${passage.messageId}.${passage.number}`);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

export function readMemoryState(state: unknown): MemoryLinkState | undefined {
  if (typeof state !== 'object' || state === null || !('overPage' in state)) return undefined;
  return {
    overPage: true,
    edit: 'edit' in state && state.edit === true,
    depth: 'depth' in state && typeof state.depth === 'number' ? state.depth : 1,
  };
}

/** The state of a link from the open memory to another one; null over a pasted address, which going back never returns to. */
export function stateOfNextMemory(search: string, state: unknown): MemoryLinkState | null {
  const open = readMemoryState(state);
  if (memoryInSearch(search) === undefined) return { overPage: true };
  return open ? { overPage: true, depth: (open.depth ?? 1) + 1 } : null;
}

export function useOpenMemory(): (memoryId: string, options?: { edit?: boolean; replace?: boolean }) => void {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const wasOver = readMemoryState(state) !== undefined;
  return useCallback(
    (memoryId, { edit = false, replace = false } = {}) => {
      // An entry that replaces a pasted address must not pretend that going back closes it.
      const next: MemoryLinkState | null = replace && !wasOver ? null : { overPage: true, edit };
      void navigate(
        { pathname, search: searchWithMemory(search, memoryId) },
        { state: next, replace, preventScrollReset: true },
      );
    },
    [navigate, pathname, search, wasOver],
  );
}

/** Closes the open memory: back to where it was opened, or the same page without it. */
export function useCloseMemory(): () => void {
  const navigate = useNavigate();
  const { pathname, search, state } = useLocation();
  const over = readMemoryState(state);
  const depth = over && (over.depth ?? 1);
  return useCallback(() => {
    if (depth !== undefined) void navigate(-depth);
    else
      void navigate(
        { pathname, search: searchWithMemory(search, undefined) },
        { replace: true, preventScrollReset: true },
      );
  }, [navigate, depth, pathname, search]);
}

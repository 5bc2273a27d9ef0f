/**
 * How a page shows the `[[references]]` in formatted text. Without a page that says so they stay as they were written.
 */
import { createContext, type ReactNode } from 'react';
import type { Reference } from '#shared/markdown/references.ts';

/** Draws a reference; `written` is its text in the source, for one that leads nowhere. */
export type DrawReference = (reference: Reference, written: string) => ReactNode;

export const TextReferences = createContext<DrawReference | undefined>(undefined);

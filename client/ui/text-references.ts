/**
 * How a page shows the `[[references]]`, the addresses of memories and of pictures, and the numbers of sources in formatted text.
 * Without a page that says so they stay as they were written.
 */
import { createContext, type ReactNode } from 'react';
import type { Reference } from '#shared/markdown/references.ts';

/** Draws a reference; `written` is its text in the source, for one that leads nowhere. */
export type DrawReference = (reference: Reference, written: string) => ReactNode;

/** An address of a memory in a text. */
export interface TextMemory {
  id: string;
  /** Written as a picture: the memory itself is shown. */
  isShown: boolean;
  words: string;
}

export type DrawMemory = (memory: TextMemory, children: ReactNode) => ReactNode;

export const TextMemories = createContext<DrawMemory | undefined>(undefined);

export const TextReferences = createContext<DrawReference | undefined>(undefined);

/** Draws the number of a source; `mark` is its text, such as `[2]`, for one that leads nowhere. */
export type DrawSource = (number: number, mark: string) => ReactNode;

export const TextSources = createContext<DrawSource | undefined>(undefined);

/** A picture that needs no network. */
export interface TextPicture {
  /** A data: URL. */
  source: string;
  /** Pixels. */
  width: number;
  height: number;
}

/** By the addresses in the text. */
export const TextPictures = createContext<ReadonlyMap<string, TextPicture>>(new Map());

/**
 * Only what is used of lowlight: its own types refer to those of highlight.js, which bring the types of a browser into every
 * program. `paths` in tsconfig.json leads here.
 */
import type { Root } from 'hast';

export interface Lowlight {
  highlight(language: string, code: string): Root;
  registered(language: string): boolean;
  registerAlias(aliases: Readonly<Record<string, readonly string[]>>): void;
}

export function createLowlight(grammars: Readonly<Record<string, unknown>>): Lowlight;

/** Of each `highlight.js/lib/languages/*`. */
declare const grammar: unknown;
export { grammar as default };

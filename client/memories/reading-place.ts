// How far a reader was in a long text: a number of pixels per memory, stored in this browser for the last texts read.
import { sessionToken } from '#client/api/session.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

const KEY = 'loci-reading-places';
const REMEMBERED = 50;

function readPlaces(): [id: string, top: number][] {
  try {
    const stored: unknown = JSON.parse(readSetting(KEY) ?? '[]');
    const entries: unknown[] = Array.isArray(stored) ? stored : [];
    return entries.flatMap((entry) => {
      if (!Array.isArray(entry)) return [];
      const [id, top]: unknown[] = entry;
      return typeof id === 'string' && typeof top === 'number' ? [[id, top] as [string, number]] : [];
    });
  } catch {
    // Not written by this code; a text then opens at its start.
    return [];
  }
}

/** Where the reader of this text was; 0 for its start. */
export function readingPlace(id: string): number {
  return readPlaces().find(([known]) => known === id)?.[1] ?? 0;
}

/** Stores the position, except the start. Stores nothing when the text closes because its reader logged out. */
export function saveReadingPlace(id: string, top: number): void {
  if (sessionToken() === undefined) return;
  const others = readPlaces().filter(([known]) => known !== id);
  const places = top > 0 ? [[id, Math.round(top)] as const, ...others].slice(0, REMEMBERED) : others;
  writeSetting(KEY, places.length === 0 ? undefined : JSON.stringify(places));
}

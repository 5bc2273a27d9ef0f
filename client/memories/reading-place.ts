/**
 * How far a reader was in a text: by its paragraph, which is the same in a window of another width. Stored in this browser for
 * the last texts read.
 */
import { sessionToken } from '#client/api/session.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

const KEY = 'loci-reading-places';
const REMEMBERED = 50;
const PARAGRAPHS = 'p, li, h1, h2, h3, h4, h5, h6, pre, tr, figure';

export interface ReadingPlace {
  /** Number of the paragraph at the upper edge, from 0. */
  paragraph: number;
  /** Share of its height that is above the edge; negative where the edge is before it. */
  above: number;
}

function readPlaces(): [id: string, paragraph: number, above: number][] {
  try {
    const stored: unknown = JSON.parse(readSetting(KEY) ?? '[]');
    const entries: unknown[] = Array.isArray(stored) ? stored : [];
    return entries.flatMap((entry) => {
      if (!Array.isArray(entry)) return [];
      const [id, paragraph, above]: unknown[] = entry;
      return typeof id === 'string' && typeof paragraph === 'number' && typeof above === 'number'
        ? [[id, paragraph, above] as [string, number, number]]
        : [];
    });
  } catch {
    // Not written by this code; a text then opens at its start.
    return [];
  }
}

/** Where the reader of this text was; undefined for its start. */
export function readingPlace(id: string): ReadingPlace | undefined {
  const [, paragraph, above] = readPlaces().find(([known]) => known === id) ?? [];
  return paragraph === undefined || above === undefined ? undefined : { paragraph, above };
}

/** Stores the position, except the start. Stores nothing when the text closes because its reader logged out. */
export function saveReadingPlace(id: string, place: ReadingPlace | undefined): void {
  if (sessionToken() === undefined) return;
  const others = readPlaces().filter(([known]) => known !== id);
  const places = place
    ? [[id, place.paragraph, place.above] as const, ...others].slice(0, REMEMBERED)
    : others;
  writeSetting(KEY, places.length === 0 ? undefined : JSON.stringify(places));
}

/** Where a scrolling frame is; undefined at its start. */
export function placeIn(frame: HTMLElement): ReadingPlace | undefined {
  if (frame.scrollTop <= 0) return undefined;
  const edge = frame.getBoundingClientRect().top;
  const boxes = Array.from(frame.querySelectorAll(PARAGRAPHS), (each) => each.getBoundingClientRect());
  const paragraph = boxes.findIndex(({ bottom, height }) => height > 0 && bottom > edge);
  const box = boxes[paragraph];
  return box && { paragraph, above: Number(((edge - box.top) / box.height).toFixed(4)) };
}

/** The `scrollTop` that shows a place; undefined while its paragraph is not there. */
export function scrollTopOf(frame: HTMLElement, { paragraph, above }: ReadingPlace): number | undefined {
  const box = frame.querySelectorAll(PARAGRAPHS)[paragraph]?.getBoundingClientRect();
  if (!box) return undefined;
  const { top, height } = frame.getBoundingClientRect();
  // A dialog is drawn smaller while it opens.
  return frame.scrollTop + ((box.top - top + above * box.height) * frame.offsetHeight) / height;
}

// Which tags a person wants to see less of in the capsule: a weight per tag, stored in this browser only.
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

const KEY = 'loci-capsule-taste';
/** Each "show less" halves the share of a tag. */
const STEP = 0.5;

/** Tag → weight below 1. */
export function readTagWeights(): ReadonlyMap<string, number> {
  const stored = readSetting(KEY);
  if (stored === undefined) return new Map();
  try {
    const parsed: unknown = JSON.parse(stored);
    if (!Array.isArray(parsed)) return new Map();
    return new Map(
      parsed.flatMap((entry: unknown) => {
        if (!Array.isArray(entry)) return [];
        const [tag, weight]: unknown[] = entry;
        return typeof tag === 'string' && typeof weight === 'number' ? [[tag, weight] as const] : [];
      }),
    );
  } catch {
    // Not written by this code; it is only a preference.
    return new Map();
  }
}

/** Replaces the stored weights. */
export function saveTagWeights(weights: ReadonlyMap<string, number>): void {
  writeSetting(KEY, weights.size === 0 ? undefined : JSON.stringify([...weights]));
}

/** Lowers a tag's weight and returns all weights. */
export function lessOfTag(tag: string): ReadonlyMap<string, number> {
  const weights = new Map(readTagWeights());
  weights.set(tag, (weights.get(tag) ?? 1) * STEP);
  saveTagWeights(weights);
  return weights;
}

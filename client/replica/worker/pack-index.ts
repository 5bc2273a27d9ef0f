// In-memory index of a replica's database: the pack of each chunk, and every small value (heads, reference counts,
// references of chunks). On the device it is a sequence of steps, one for each write of any tab. Every transaction first
// reads the new steps, so that within a transaction the index equals the content of IndexedDB.
import type { ReadonlyJSONValue } from 'replicache';
import { promiseOf } from '#client/replica/worker/idb-requests.ts';

/** Changes of Replicache's store by key; undefined deletes. */
export type Changes = ReadonlyMap<string, ReadonlyJSONValue | undefined>;

export interface Step {
  /** Number of the step, one higher than the step before. */
  at: number;
  /** This step is the whole index; earlier steps are deleted. */
  isWhole: boolean;
  packs: HeldPack[];
  values: (readonly [key: string, value: ReadonlyJSONValue])[];
  gone: string[];
}

/** A pack that a step wrote or left in place. */
interface HeldPack {
  id: number;
  /** How many chunks it was written with. */
  size: number;
  /** The chunks that are to be found in it from now on. */
  keys: string[];
}

/** A step as a record: text, which browsers read several times faster than thousands of small arrays. */
type StepText = string;

export interface Pack {
  id: number;
  keys: string[];
  chunks: ReadonlyJSONValue[];
}

/**
 * Chunks in a full pack. A chunk has about nine kilobytes, and Chromium is slower with records below 64 KB than for somewhat
 * larger ones; much larger ones make the first screen wait.
 */
const ROOM = 8;
/** Packs that one step can write; their ids continue from step to step. */
const STEP_PACKS = 1_000_000;
const DIGITS = 16;
/** Limits of what may accumulate before the index is written anew and packs are merged. */
const MOST_STEPS = 64;
const MOST_THIN = 24;
const MOST_DEAD = 96;

const keyOf = (prefix: string, id: number) => `${prefix}${String(id).padStart(DIGITS, '0')}`;

export const packKey = (id: number): string => keyOf('c/', id);
const stepKey = (at: number): string => keyOf('i/', at);
const stepsAfter = (at: number): IDBKeyRange => IDBKeyRange.bound(stepKey(at), 'i0', true, true);
const stepsBefore = (at: number): IDBKeyRange => IDBKeyRange.bound('i/', stepKey(at), false, true);

/** True for keys of chunk data, which never changes. Everything else under a key is small. */
export function isChunkKey(key: string): boolean {
  return key.startsWith('c/') && key.endsWith('/d');
}

/** Key of the references of a chunk, which never changes either; absent for chunks that refer to nothing. */
export function referencesKeyOf(chunkKey: string): string {
  return `${chunkKey.slice(0, -1)}m`;
}

export class PackIndex {
  /** The newest step that is in here. */
  at = 0;
  readonly chunks = new Map<string, number>();
  readonly values = new Map<string, ReadonlyJSONValue>();
  /** By id: chunks at the time of writing, and those that are still needed. */
  readonly packs = new Map<number, { size: number; live: number }>();
  #steps = 0;

  /** Reads what other tabs have written since; must be the first request of a transaction. */
  async catchUp(store: IDBObjectStore): Promise<void> {
    const steps: StepText[] = await promiseOf(store.getAll(stepsAfter(this.at)));
    for (const text of steps) this.apply(JSON.parse(text));
  }

  /** Applies a step that is stored on the device; one that was applied before changes nothing. */
  apply({ at, isWhole, packs, values, gone }: Step): void {
    if (at <= this.at) return;
    this.at = at;
    this.#steps += 1;
    if (isWhole) {
      this.#steps = 1;
      for (const map of [this.chunks, this.values, this.packs]) map.clear();
    }
    for (const key of gone) {
      this.#leave(this.chunks.get(key));
      this.chunks.delete(key);
      this.values.delete(key);
    }
    for (const [key, value] of values) this.values.set(key, value);
    for (const { id, size, keys } of packs) {
      this.packs.set(id, { size, live: keys.length });
      for (const key of keys) {
        this.#leave(this.chunks.get(key));
        this.chunks.set(key, id);
      }
    }
  }

  #leave(pack: number | undefined): void {
    const held = pack === undefined ? undefined : this.packs.get(pack);
    if (pack === undefined || held === undefined) return;
    held.live -= 1;
    if (held.live === 0) this.packs.delete(pack);
  }

  /** The step that stores these changes on the device, with its packs. */
  stepOf(changes: Changes): Written {
    const step = emptyStep(this.at + 1);
    const chunks: Chunk[] = [];
    for (const [key, value] of changes) {
      const isChunk = isChunkKey(key);
      if (value === undefined) {
        if (isChunk ? this.chunks.has(key) : this.values.has(key)) step.gone.push(key);
      } else if (!isChunk) {
        if (this.values.get(key) !== value) step.values.push([key, value]);
      } else if (!this.chunks.has(key)) chunks.push([key, value]);
    }
    const packs = packed(step, chunks, (key) => changes.get(referencesKeyOf(key)) !== undefined);
    return { step, packs, emptied: this.#emptiedBy(step.gone) };
  }

  #emptiedBy(gone: readonly string[]): number[] {
    const left = new Map<number, number>();
    for (const key of gone) {
      const pack = this.chunks.get(key);
      if (pack !== undefined) left.set(pack, (left.get(pack) ?? this.packs.get(pack)?.live ?? 0) - 1);
    }
    return [...left].flatMap(([pack, live]) => (live === 0 ? pack : []));
  }

  /** Packs of which less than half is needed, or that were never filled; merging them saves space. */
  thinPacks(): number[] {
    return [...this.packs].flatMap(([id, { live }]) => (2 * live < ROOM ? id : []));
  }

  /** Whether so much has piled up that `tidyStep` is worth its time. */
  isUntidy(): boolean {
    const thin = this.thinPacks().flatMap((id) => this.packs.get(id) ?? []);
    const dead = thin.reduce((sum, { size, live }) => sum + size - live, 0);
    return this.#steps > MOST_STEPS || thin.length > MOST_THIN || dead > MOST_DEAD;
  }

  /** The step that writes chunks of thin packs into new ones and, when there are many steps, everything else anew. */
  tidyStep(moved: ReadonlyMap<string, ReadonlyJSONValue>): Written {
    const step = emptyStep(this.at + 1);
    const packs = packed(step, [...moved], (key) => this.values.has(referencesKeyOf(key)));
    const emptied = new Set([...moved.keys()].flatMap((key) => this.chunks.get(key) ?? []));
    if (this.#steps > MOST_STEPS) {
      step.isWhole = true;
      step.values = [...this.values];
      const kept = new Map<number, HeldPack>();
      for (const [id, { size }] of this.packs) if (!emptied.has(id)) kept.set(id, { id, size, keys: [] });
      for (const [key, pack] of this.chunks) kept.get(pack)?.keys.push(key);
      step.packs = [...step.packs, ...kept.values()];
    }
    return { step, packs, emptied: [...emptied] };
  }
}

type Chunk = readonly [key: string, chunk: ReadonlyJSONValue];

/** A step, the packs that must be written with it, and those that nothing needs after it. */
export interface Written {
  step: Step;
  packs: Pack[];
  emptied: number[];
}

const emptyStep = (at: number): Step => ({ at, isWhole: false, packs: [], values: [], gone: [] });

/** Chunks in packs, those that refer to others first, because they are not needed as long; notes the packs in the step. */
function packed(step: Step, chunks: readonly Chunk[], isInner: (key: string) => boolean): Pack[] {
  const sorted = chunks.toSorted(([one], [other]) => Number(isInner(other)) - Number(isInner(one)));
  const packs: Pack[] = [];
  for (let from = 0; from < sorted.length; from += ROOM) {
    const part = sorted.slice(from, from + ROOM);
    const id = step.at * STEP_PACKS + packs.length;
    const keys = part.map(([key]) => key);
    packs.push({ id, keys, chunks: part.map(([, chunk]) => chunk) });
    step.packs.push({ id, size: part.length, keys });
  }
  return packs;
}

/** Writes a step and what belongs to it. */
export function writeStep(store: IDBObjectStore, { step, packs, emptied }: Written): void {
  // Fails when there is such a step already, which must not be overwritten.
  store.add(JSON.stringify(step), stepKey(step.at));
  if (step.isWhole) store.delete(stepsBefore(step.at));
  for (const pack of packs) store.put(pack, packKey(pack.id));
  for (const pack of emptied) store.delete(packKey(pack));
}

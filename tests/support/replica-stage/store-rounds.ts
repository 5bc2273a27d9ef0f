// The product's storage by itself, in the page, under transactions whose result can be computed: a number of slots, each
// with one chunk at a time, and a head that counts the transactions. What a killed browser leaves must be the state
// after a whole transaction.
import type { KVRead, KVStore, ReadonlyJSONValue } from 'replicache';
import { packedStore } from '#client/replica/worker/kv-store.ts';

const SLOTS = 300;
const COUNT = 'h/count';
/** A chunk of Replicache has about as many letters. */
const LETTERS = 9_000;
/** Letters that no browser can store in fewer bytes by finding repetitions. */
const NOISE = noise(5 * LETTERS);

function noise(length: number): string {
  let state = 1;
  let text = '';
  while (text.length < length) {
    state = Math.imul(state, 1_664_525) + 1_013_904_223;
    text += (state >>> 8).toString(36);
  }
  return text;
}

function chunkOf(turn: number, slot: number): ReadonlyJSONValue {
  const start = (turn * 7_919 + slot * 10_473) % (4 * LETTERS);
  return { turn, slot, text: NOISE.slice(start, start + LETTERS) };
}

/** The slots that a transaction writes: a few, and now and then a third of all. */
function slotsOf(turn: number): number[] {
  const many = turn % 12 === 1 ? 100 : 1 + (turn % 4);
  return Array.from({ length: many }, (_unused, at) => (turn * 31 + at * 7) % SLOTS);
}

/** The last transaction that wrote each slot, after so many. */
function writersAfter(turns: number): Map<number, number> {
  const writers = new Map<number, number>();
  for (let turn = 1; turn <= turns; turn += 1) for (const slot of slotsOf(turn)) writers.set(slot, turn);
  return writers;
}

const chunkKey = (turn: number, slot: number, part: 'd' | 'm' | 'r') => `c/${turn}-${slot}/${part}`;
const references = (turn: number, slot: number) => (slot % 5 === 0 ? [`${turn}`] : undefined);

const countIn = async (read: KVRead) => Number((await read.get(COUNT)) ?? 0);

/** Adds the next transaction, whichever tab made the last one. */
async function writeNext(store: KVStore): Promise<number> {
  const write = await store.write();
  const turn = (await countIn(write)) + 1;
  const before = writersAfter(turn - 1);
  for (const slot of slotsOf(turn)) {
    const old = before.get(slot);
    if (old !== undefined)
      for (const part of ['d', 'm', 'r'] as const) await write.del(chunkKey(old, slot, part));
    await write.put(chunkKey(turn, slot, 'd'), chunkOf(turn, slot));
    const refers = references(turn, slot);
    if (refers) await write.put(chunkKey(turn, slot, 'm'), refers);
    await write.put(chunkKey(turn, slot, 'r'), 1);
  }
  await write.put(COUNT, turn);
  await write.commit();
  return turn;
}

function opened(name: string, failures: string[] = []): KVStore {
  return packedStore((error) => failures.push(String(error))).create(name);
}

export const storeRounds = {
  /** Writes without end, and prints the number of each transaction that was committed. */
  async writeOn(name: string): Promise<never> {
    const store = opened(name);
    for (;;) console.log(`committed ${await writeNext(store)}`);
  },

  /** Writes until the storage refuses; returns the transactions that are there then, and what was refused. */
  async writeUntilRefused(name: string): Promise<{ count: number; failures: string[] }> {
    const failures: string[] = [];
    const store = opened(name, failures);
    let count = 0;
    try {
      for (;;) count = await writeNext(store);
    } catch {
      // What was refused is in the list.
    }
    return { count, failures };
  },

  /** How many transactions are there, and every key that is not as it must be after them. */
  async check(name: string): Promise<{ count: number; wrong: string[] }> {
    const store = opened(name);
    const read = await store.read();
    const count = await countIn(read);
    const writers = writersAfter(count);
    const wrong: string[] = [];
    for (let turn = 1; turn <= count; turn += 1) {
      for (const slot of slotsOf(turn)) {
        const isHeld = writers.get(slot) === turn;
        const expected = isHeld ? [chunkOf(turn, slot), references(turn, slot), 1] : [];
        for (const [at, part] of (['d', 'm', 'r'] as const).entries()) {
          const key = chunkKey(turn, slot, part);
          if (JSON.stringify(await read.get(key)) !== JSON.stringify(expected[at])) wrong.push(key);
        }
      }
    }
    await store.close();
    return { count, wrong };
  },
};

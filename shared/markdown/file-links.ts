// Addresses that lead from a text to a memory, for example to the file that a note shows. They name no server, so a text means
// the same wherever it is read, and people who may not read the memory see only the text.
import { isId, type Id } from '../ids.ts';

const SCHEME = 'memory:';

export function memoryAddress(id: Id<'memory'>): string {
  return `${SCHEME}${id}`;
}

/** The memory that an address in a text names; undefined for every other address. */
export function memoryOfAddress(address: string | undefined): Id<'memory'> | undefined {
  if (address === undefined || !address.startsWith(SCHEME)) return undefined;
  const id = address.slice(SCHEME.length);
  return isId('memory', id) ? id : undefined;
}

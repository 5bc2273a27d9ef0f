/**
 * Sentences about who sees memories after a move, from the rule that decides it. Pure words: names and rows are given.
 */
import { memoryReaders, type PlaceFacts } from '#shared/memories/readers.ts';
import { anonymousReads } from '#shared/spaces/visibility.ts';

/** What a sentence needs to know beyond the memory. */
export interface MoveReader {
  /** Who reads the sentence. */
  userId: string;
  nameOf: (userId: string) => string;
  /** There are other members, who may have filed the memory where this person cannot see it. */
  hasOthers: boolean;
}

/** A memory in its places; a home that this device does not know is undefined. */
export interface Placed {
  ownerId: string;
  home: PlaceFacts | null | undefined;
  spaces: readonly PlaceFacts[];
}

const SHOWN = 'title, description, summary, address and tags. Notes stay in the workspace';

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function people(userIds: readonly string[], { userId, nameOf }: MoveReader): string {
  const others = userIds.filter((id) => id !== userId).map(nameOf);
  return listed([...(userIds.includes(userId) ? ['you'] : []), ...others.toSorted()]);
}

/** Who sees it, as the rest of a sentence that says when; undefined when this device cannot tell. */
function sightOf(placed: Placed, reader: MoveReader, it: string): string | undefined {
  const { home } = placed;
  if (home === undefined) return undefined;
  const open = placed.spaces.filter(({ visibility }) => anonymousReads(visibility));
  if (open.some(({ visibility }) => visibility === 'public'))
    return `anyone can find and see ${it} on the web: ${SHOWN}`;
  if (open.length > 0) return `anyone who has the link can see ${it}: ${SHOWN}`;
  const readers = memoryReaders({ ...placed, home });
  return readers.workspace
    ? `everyone in this workspace can see ${it}`
    : `only ${people(readers.userIds, reader)} can see ${it}`;
}

/** The sentence for one memory; undefined when the same people see it before and afterwards. */
export function moveSentence(
  before: Placed,
  after: Placed,
  { reader, it }: { reader: MoveReader; it: string },
): string | undefined {
  const [was, is] = [sightOf(before, reader, it), sightOf(after, reader, it)];
  if (is === undefined || was === is) return undefined;
  const hides = is.startsWith('only ') && reader.hasOthers;
  return `Afterwards ${is}.${hides ? ` Members who keep ${it} in a private space of their own go on seeing ${it} there.` : ''}`;
}

/** Sentences about who sees memories after a move, from the permission rule. Pure: names and rows are parameters. */
import { memoryReaders, type PlaceFacts } from '#shared/memories/readers.ts';
import { anonymousReads, VISIBILITY } from '#shared/spaces/visibility.ts';

/** Facts for the sentence beside those of the memory. */
export interface MoveReader {
  /** Who reads the sentence. */
  userId: string;
  nameOf: (userId: string) => string;
  /** There are other members, who may have filed the memory where this person cannot see it. */
  hasOthers: boolean;
}

/** A memory in its places; a home that is not on this device is undefined. */
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

/** Placeholder for "it" or "them" until the memories of a sentence are counted. */
const IT = '{it}';

/** Who sees it, as the second part of a sentence; undefined when it is unknown on this device. */
function sightOf(placed: Placed, reader: MoveReader): string | undefined {
  const { home } = placed;
  if (home === undefined) return undefined;
  const open = placed.spaces.filter(({ visibility }) => anonymousReads(visibility));
  if (open.some(({ visibility }) => VISIBILITY[visibility].indexable))
    return `anyone can find and see ${IT} on the web: ${SHOWN}`;
  if (open.length > 0) return `anyone who has the link can see ${IT}: ${SHOWN}`;
  const readers = memoryReaders({ ...placed, home });
  const who = readers.workspace ? 'everyone in this workspace' : people(readers.userIds, reader);
  if (readers.isShared) return `${who} and the people that its spaces are shared with can see ${IT}`;
  return readers.workspace ? `${who} can see ${IT}` : `only ${who} can see ${IT}`;
}

/** The sentence for one memory; undefined when the same people see it before and afterwards. */
export function moveSentence(before: Placed, after: Placed, reader: MoveReader): string | undefined {
  const [was, is] = [sightOf(before, reader), sightOf(after, reader)];
  if (is === undefined || was === is) return undefined;
  const hides = is.startsWith('only ') && reader.hasOthers;
  return `Afterwards ${is}.${hides ? ` Members who keep ${IT} in a private space of their own go on seeing ${IT} there.` : ''}`;
}

/** Others see it in the spaces that it stays in, wherever it moves. */
export function staySentence(spaces: readonly (PlaceFacts & { name: string })[]): string {
  const outside = spaces.some(({ visibility }) => anonymousReads(visibility));
  const who = outside ? 'People outside the workspace go on' : 'Everyone in this workspace goes on';
  return `${who} seeing ${IT} in ${listed(spaces.map(({ name }) => name))}.`;
}

/** One paragraph for all memories with the same sentence. */
export function groupSentences(sentences: readonly (string | undefined)[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const sentence of sentences)
    if (sentence !== undefined) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  const total = sentences.length;
  return [...counts].map(([sentence, count]) => {
    const words = sentence.replaceAll(IT, count === 1 ? 'it' : 'them');
    return count === total ? words : `${count} of ${total}: ${words[0]?.toLowerCase()}${words.slice(1)}`;
  });
}

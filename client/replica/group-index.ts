// Which rows belong to which other row: links of a space, spaces of a memory, messages of a thread. Holds ids only.

/** Groups of ids; each group is a set in order of arrival. */
export class GroupIndex {
  readonly #groups = new Map<string, Set<string>>();

  /** The members of a group; an empty set when there are none. */
  of(group: string): ReadonlySet<string> {
    return this.#groups.get(group) ?? EMPTY;
  }

  add(group: string, member: string): void {
    const members = this.#groups.get(group);
    if (members) members.add(member);
    else this.#groups.set(group, new Set([member]));
  }

  remove(group: string, member: string): void {
    const members = this.#groups.get(group);
    if (!members?.delete(member)) return;
    if (members.size === 0) this.#groups.delete(group);
  }
}

const EMPTY: ReadonlySet<string> = new Set();

/** A client that keeps a copy of a workspace through GET /v1/changes, and what REST says the copy should be. */
import { z } from 'zod';
import { changePage, type Change } from '#shared/changes/change.ts';
import type { RawAnswer, RawRequest } from './agent.ts';

type Row = Record<string, unknown>;
/** Rows by kind and id. */
export type Copy = Map<string, Row>;

const LISTS = {
  memory: ['memories', 'id'],
  space: ['spaces', 'id'],
  thread: ['threads', 'id'],
  space_memory: ['space_memories', ''],
} as const;
const rows = z.array(z.record(z.string(), z.unknown()));

/** Follows one workspace with one credential. */
export class ChangeConsumer {
  readonly copy: Copy = new Map();
  cursor: string | undefined;
  readonly #raw: RawRequest;
  readonly #workspaceId: string;

  constructor(raw: RawRequest, workspaceId: string) {
    this.#raw = raw;
    this.#workspaceId = workspaceId;
  }

  ask(limit: number, cursor = this.cursor): Promise<RawAnswer> {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor !== undefined && { cursor }) });
    return this.#raw('GET', `/v1/changes/${this.#workspaceId}?${query.toString()}`);
  }

  /** Takes one answer into the copy; true when there is more. */
  async step(limit: number): Promise<boolean> {
    const answer = await this.ask(limit);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    const { changes, cursor, hasMore } = changePage.parse(answer.json?.result);
    for (const change of changes) this.#take(change);
    this.cursor = cursor;
    return hasMore;
  }

  async follow(limit: number): Promise<void> {
    while (await this.step(limit));
  }

  #take(change: Change): void {
    const key = `${change.kind} ${change.id}`;
    if (change.action === 'put') this.copy.set(key, change.row);
    else this.copy.delete(key);
  }

  /** The copy without members, and without links that lack an end. */
  shown(): Record<string, Row> {
    const has = (kind: string, id: unknown) => this.copy.has(`${kind} ${String(id)}`);
    const kept = [...this.copy].filter(([key, row]) => {
      if (key.startsWith('workspace_member ')) return false;
      if (!key.startsWith('space_memory ')) return true;
      return has('space', row['spaceId']) && has('memory', row['memoryId']);
    });
    return sorted(kept);
  }

  /** What the lists of REST show to the same credential. */
  async truth(kinds: readonly (keyof typeof LISTS)[]): Promise<Record<string, Row>> {
    const all: [string, Row][] = [];
    for (const kind of kinds) {
      const [path, id] = LISTS[kind];
      for (let page = 1; ; page += 1) {
        const { json } = await this.#raw('GET', `/v1/${path}/${this.#workspaceId}?perPage=100&page=${page}`);
        const found = rows.parse(json?.result);
        for (const row of found) {
          const name = id === '' ? `${String(row['spaceId'])}/${String(row['memoryId'])}` : String(row[id]);
          all.push([`${kind} ${name}`, row]);
        }
        if (found.length < 100) break;
      }
    }
    return sorted(all);
  }
}

function sorted(entries: readonly [string, Row][]): Record<string, Row> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

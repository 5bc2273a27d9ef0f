// The first fifty memories of a list that switches its view, once from the replica and once from a plain array: the same
// selection and the same elements, so that the difference is the replica.
import { useLayoutEffect, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { flushSync } from 'react-dom';
import type { ListView } from '#client/memories/list-view.ts';
import { useMemoryRows, useSpaceLinks } from '#client/memories/queries.ts';
import { selectMemories, type ListSource } from '#client/memories/select-memories.ts';
import { ReplicaProvider } from '#client/replica/replica-context.tsx';
import { openedReplica } from '#client/replica/open-replica.ts';
import { ReplicaView } from '#client/replica/view.ts';

const SHOWN = 50;

type Switch = (view: ListView) => void;

function First({ source, view }: { source: ListSource; view: ListView }) {
  const rows = useMemo(() => selectMemories(source, view).slice(0, SHOWN), [source, view]);
  return (
    <ol>
      {rows.map((row) => (
        <li key={row.id}>{row.title}</li>
      ))}
    </ol>
  );
}

function FromReplica({ view }: { view: ListView }) {
  const newestFirst = useMemoryRows(view.scope);
  const links = useSpaceLinks();
  const source = useMemo(() => ({ newestFirst, links }), [newestFirst, links]);
  return <First source={source} view={view} />;
}

function Switched({ plain, view: first, onMount }: Place & { onMount: (change: Switch) => void }) {
  const [view, setView] = useState(first);
  useLayoutEffect(() => {
    onMount(setView);
  }, [onMount]);
  return plain ? <First source={plain} view={view} /> : <FromReplica view={view} />;
}

interface Place {
  /** Rows and links of the reference; undefined reads the replica. */
  plain?: ListSource;
  view: ListView;
}

/** Renders a list; the result switches it and returns the milliseconds until its rows are in the page. */
function draw(place: Place): (view: ListView) => number {
  const opened = openedReplica();
  if (!opened) throw new Error('Nothing is open');
  const { replica } = opened;
  const box = document.body.appendChild(document.createElement('div'));
  let change: Switch | undefined;
  const mounted = (given: Switch) => {
    change = given;
  };
  flushSync(() =>
    createRoot(box).render(
      <ReplicaProvider replica={replica} workspaceId={replica.mirrors.workspaceId}>
        <Switched {...place} onMount={mounted} />
      </ReplicaProvider>,
    ),
  );
  return (view) => {
    const start = performance.now();
    flushSync(() => change?.(view));
    const took = performance.now() - start;
    const count = box.querySelectorAll('li').length;
    if (count !== SHOWN) throw new Error(`${count} rows instead of ${SHOWN}`);
    return took;
  };
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), ['', 0])[0];
}

function readView(): ReplicaView {
  const opened = openedReplica();
  if (!opened) throw new Error('Nothing is open');
  return new ReplicaView(opened.replica.mirrors);
}

/** The space and the tag with the most memories. */
export function largestGroups(): { spaceId: string; tag: string } {
  const view = readView();
  return {
    spaceId: mostFrequent(view.list('space_memory').map(({ spaceId }) => spaceId)),
    tag: mostFrequent(view.list('memory').flatMap(({ tags }) => tags)),
  };
}

/** Milliseconds of switching from the first of these views to each other one, by turns from both sources. */
export function measureSwitches(
  views: readonly ListView[],
  rounds: number,
): { fromReplica: number[]; fromArray: number[] }[] {
  const [plainView] = views;
  if (!plainView) throw new Error('Nothing to switch');
  const read = readView();
  const plain = { newestFirst: [...read.list('memory')], links: [...read.list('space_memory')] };
  const ours = draw({ view: plainView });
  const theirs = draw({ plain, view: plainView });
  return views.slice(1).map((view) => {
    const result = { fromReplica: new Array<number>(), fromArray: new Array<number>() };
    for (let round = -2; round < rounds; round += 1) {
      // The order alternates, so that neither list always benefits from the other's warm-up.
      const turns = [
        { place: ours, times: result.fromReplica },
        { place: theirs, times: result.fromArray },
      ];
      for (const { place, times } of round % 2 === 0 ? turns : turns.toReversed()) {
        const took = place(view);
        place(plainView);
        // The first two rounds warm both up.
        if (round >= 0) times.push(took);
      }
    }
    return result;
  });
}

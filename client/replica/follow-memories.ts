// Runs what brings more of the memories than their rows to this device: in steps, again after each change.
import type { Replica } from '#client/replica/replica.ts';
import { revisionOf } from '#client/replica/view.ts';

export interface Turn {
  /** The replica is left: nothing may be stored any more. */
  readonly hasEnded: boolean;
  /** The memories have changed during the run: the next one knows better what is missing. */
  readonly isStale: boolean;
}

/** @throws Error to be run again after a while */
export type Step = (turn: Turn) => Promise<void>;

/** A run that failed is repeated after this time, if nothing else causes it before. */
const RETRY_MS = 5_000;

/** Runs the steps one after the other, now and after each change; returns a function that stops it. */
export function followMemories(replica: Replica, steps: readonly Step[]): () => void {
  const turn = { hasEnded: false, isStale: false };
  let isRunning = false;
  let seen: string | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;

  async function run(): Promise<void> {
    clearTimeout(retry);
    turn.isStale = true;
    if (isRunning) return;
    isRunning = true;
    while (turn.isStale && !turn.hasEnded) {
      turn.isStale = false;
      try {
        for (const step of steps) if (!turn.isStale && !turn.hasEnded) await step(turn);
      } catch (error) {
        console.info('replica: more of the memories could not be fetched', error);
        if (!turn.hasEnded) retry = setTimeout(() => void run(), RETRY_MS);
      }
    }
    isRunning = false;
  }

  function look(): void {
    const { mirrors } = replica;
    const isOffline = replica.status().state === 'offline';
    const now = [mirrors.workspaceId, revisionOf(mirrors, 'memory'), replica.firstSync().state, isOffline];
    if (now.join('/') === seen) return;
    seen = now.join('/');
    void run();
  }

  const unsubscribe = replica.subscribe(look);
  look();
  return () => {
    turn.hasEnded = true;
    clearTimeout(retry);
    unsubscribe();
  };
}

/**
 * A part of the page whose code is loaded later and may fail to load: what is shown stays, the part is listed among the
 * missing ones, and it is fetched again when the network is back, when the page becomes visible, or on request.
 */
import { useEffect, useState, type ComponentType } from 'react';

/** Longest pause between two attempts. */
const RETRY_MAX_MS = 10_000;
const RETRY_FIRST_MS = 2_000;

const missing = new Set<string>();
const listeners = new Set<() => void>();
const retries = new Set<() => void>();
let names: readonly string[] = [];

function setMissing(name: string, isMissing: boolean): void {
  if (missing.has(name) === isMissing) return;
  if (isMissing) missing.add(name);
  else missing.delete(name);
  names = [...missing];
  for (const listener of listeners) listener();
}

/** Labels of the parts that failed to load so far. */
export const missingParts = {
  get: (): readonly string[] => names,
  none: (): readonly string[] => NONE,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
const NONE: readonly string[] = [];

/** Fetches everything that is missing now. */
export function retryMissingParts(): void {
  for (const retry of retries) retry();
}

/** Loads until it succeeds, then calls back. Returns a function that cancels it. */
export function keepLoading<T>(
  name: string,
  load: () => Promise<T>,
  onLoaded: (part: T) => void,
): () => void {
  let pause = RETRY_FIRST_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;
  let isOver = false;
  const end = () => {
    isOver = true;
    clearTimeout(timer);
    retries.delete(attempt);
    removeEventListener('online', attempt);
    document.removeEventListener('visibilitychange', attempt);
    setMissing(name, false);
  };
  function attempt(): void {
    if (isBusy || isOver) return;
    isBusy = true;
    clearTimeout(timer);
    load().then(
      (part) => {
        if (isOver) return;
        end();
        onLoaded(part);
      },
      (error: unknown) => {
        isBusy = false;
        if (isOver) return;
        console.info(`${name} could not be loaded`, error);
        setMissing(name, true);
        timer = setTimeout(attempt, pause);
        pause = Math.min(pause * 2, RETRY_MAX_MS);
      },
    );
  }
  retries.add(attempt);
  addEventListener('online', attempt);
  document.addEventListener('visibilitychange', attempt);
  attempt();
  return end;
}

/** A component that renders nothing, or `Waiting`, until its code has loaded. The name says what is missing. */
export function lazyPart<P extends object>(
  name: string,
  load: () => Promise<ComponentType<P>>,
  Waiting?: ComponentType<P>,
): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function LazyPart(props: P) {
    const [Part, setPart] = useState<ComponentType<P> | undefined>(() => loaded);
    useEffect(() => {
      if (Part) return undefined;
      return keepLoading(name, load, (part) => {
        loaded = part;
        setPart(() => part);
      });
    }, [Part]);
    if (Part) return <Part {...props} />;
    return Waiting ? <Waiting {...props} /> : null;
  };
}

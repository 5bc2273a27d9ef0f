/**
 * A search on the server beside the one on this device: requested after a pause in typing, while online. The local
 * result never waits for it.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { useIsOnline } from '#client/shell/online.ts';
import { isAborted } from '#client/shell/problem-toast.ts';

const PAUSE_MS = 300;
const SHORTEST = 2;

/** The result of `ask` for this query; undefined until it arrives. The search starts over when `place` changes. */
export function useServerSearch<T>(
  query: string,
  place: string | undefined,
  ask: (query: string, signal: AbortSignal) => Promise<T>,
): T | undefined {
  const [answer, setAnswer] = useState<{ query: string; place: string; value: T }>();
  const online = useIsOnline();
  const wanted = query.trim().slice(0, LIMITS.searchQuery);
  const onAsk = useEffectEvent(ask);
  useEffect(() => {
    if (!online || place === undefined || wanted.length < SHORTEST) return undefined;
    const leave = new AbortController();
    const timer = setTimeout(() => {
      onAsk(wanted, leave.signal).then(
        (value) => setAnswer({ query: wanted, place, value }),
        (failure: unknown) => {
          if (!isAborted(failure)) console.info('search: the server did not answer', failure);
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [online, place, wanted]);
  return answer?.query === wanted && answer.place === place ? answer.value : undefined;
}

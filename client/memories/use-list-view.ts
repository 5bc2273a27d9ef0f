import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { parseListView, writeListView, type ListView } from '#client/memories/list-view.ts';

/** Which memories the page's address lists, and how to list others. */
export function useListView(): [view: ListView, setView: (next: ListView) => void] {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => parseListView(params), [params]);
  const setView = useCallback(
    (next: ListView) =>
      setParams((current) => writeListView(current, next), { replace: true, preventScrollReset: true }),
    [setParams],
  );
  return [view, setView];
}

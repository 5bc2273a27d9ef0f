/**
 * Passes the source of a list to the parts that count it, so that components between them are not rendered again for every new
 * row.
 */
import { createContext, useContext } from 'react';
import type { ListSource } from '#client/memories/select-memories.ts';

export const ListSourceContext = createContext<ListSource>({ newestFirst: [], links: [] });

/** The source of the list around this component. */
export function useListSource(): ListSource {
  return useContext(ListSourceContext);
}

/**
 * Hands what a list is made of to the parts that count it, so that nothing between them is drawn again for every row
 * that arrives.
 */
import { createContext, useContext } from 'react';
import type { ListSource } from '#client/memories/select-memories.ts';

export const ListSourceContext = createContext<ListSource>({ newestFirst: [], links: [] });

/** The source of the list around this component. */
export function useListSource(): ListSource {
  return useContext(ListSourceContext);
}

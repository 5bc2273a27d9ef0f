// The parts of the content that only the browser loads (specification section 2): navigation and search of the documentation.
import type { NavigationGroup } from '#shared/site/content.ts';

const navigation = import.meta.glob<NavigationGroup[]>('../.content-collections/site/docs-navigation.json', {
  import: 'default',
});
const search = import.meta.glob<string>('../.content-collections/site/search.json', {
  query: '?raw',
  import: 'default',
});

async function only<Item>(loaders: Record<string, () => Promise<Item>>): Promise<Item> {
  const [load] = Object.values(loaders);
  if (!load) throw new Error('The content was not built');
  return load();
}

/** Headings and pages of the documentation. */
export const loadDocsNavigation = (): Promise<NavigationGroup[]> => only(navigation);

/** The stored search index as text. */
export const loadSearchIndex = (): Promise<string> => only(search);

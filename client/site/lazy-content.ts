// The way to the content for loaders: the table of all documents grows with every page that is written,
// so it is no part of the first load.

export const loadContent = () => import('#client/site/content.ts');
export const loadExplore = () => import('#client/site/explore-spaces.ts');

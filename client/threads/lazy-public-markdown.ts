// The way to the Markdown parser: part of the server's bundle, loaded in a browser only where the server did not render.

export const loadMarkdown = () => import('#client/threads/public-markdown.ts');

// The calls of the API that the extension makes, by their names in the table of endpoints.

export const EXTENSION_CALLS = [
  'workspace.list',
  'space.list',
  'tag.list',
  'memory.list',
  'memory.get',
  'memory.create',
  'memory.update',
  'memory.remove',
  'oauth_client.get_public',
] as const;
export type ExtensionCall = (typeof EXTENSION_CALLS)[number];

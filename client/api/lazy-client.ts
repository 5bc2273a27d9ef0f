// Loads the REST client with the first call: the table of endpoints and its schemas are no part of the first list.

export const loadClientMaker = async () => (await import('#client/api/client.ts')).createClient;

/** Query of the address at which the service worker fetches the explore page for offline visits. */

/** Name in the query: the page comes without its list of spaces, which would be out of date when it is read. */
export const WITHOUT_LIST = 'offline';

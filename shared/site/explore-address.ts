/** Query of the address at which the service worker fetches the explore page for offline visits. */

/** Name in the query: the page is rendered without its list of spaces, which would be outdated when read offline. */
export const WITHOUT_LIST = 'offline';

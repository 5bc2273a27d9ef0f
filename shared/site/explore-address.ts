/** How the service worker asks for the explore page that it keeps for a device without a network. */

/** Name in the query: the page comes without its list of spaces, which would be out of date when it is read. */
export const WITHOUT_LIST = 'offline';

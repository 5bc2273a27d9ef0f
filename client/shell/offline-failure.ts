/**
 * The failure of a page that is not on this device while nothing can be asked: the error page says that, instead of an
 * internal error. Apart from the error page, because public pages load it only when they need it.
 */
import { data } from 'react-router';

/** To be thrown by loaders. */
export function offlineFailure() {
  const message = 'Not on this device';
  const detail =
    'The server cannot be reached, and this page was not opened here before, so there is nothing to show. Open it again once you are online.';
  return data({ error: { message, detail } }, { status: 503 });
}

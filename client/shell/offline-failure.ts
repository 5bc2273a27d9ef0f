/**
 * The failure of a page that is not on this device while the device is offline: the error page then shows that instead
 * of an internal error.
 */
import { data } from 'react-router';

/** To be thrown by loaders. */
export function offlineFailure() {
  const message = 'Not on this device';
  const detail =
    'You are offline, and this page has not been opened on this device. Open it again when you are online.';
  return data({ error: { message, detail } }, { status: 503 });
}

// Where this device records whose session ended on it; its own file, so that a page start can look without loading more.

/** Key in local storage. */
export const SIGNED_OUT_SETTING = 'loci-signed-out';

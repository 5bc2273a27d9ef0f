// Where this device notes whose session ended on it; its own file, so that a page start can look without loading more.

/** Key in local storage. */
export const DEPARTED_SETTING = 'loci-departed';

// Prefixes of the names of this device's databases.

/** Tables of one person beside the replica; the key of the person follows. */
export const DEVICE_DATABASE_PREFIX = 'loci-device-';
/** Search indexes; the key of the person and the workspace follow. */
export const SEARCH_DATABASE_PREFIX = 'loci-search-';

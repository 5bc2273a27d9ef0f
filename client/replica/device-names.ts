// Names of this device's databases.

/** Replicache's list of its databases of this origin, which is a database itself. */
export const REPLICA_REGISTRY = 'replicache-dbs-v0';

/** Tables of one person beside the replica; the key of the person follows. */
export const DEVICE_DATABASE_PREFIX = 'loci-device-';
/** Search indexes; the key of the person and the workspace follow. */
export const SEARCH_DATABASE_PREFIX = 'loci-search-';

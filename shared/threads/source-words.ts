// What stands in place of a source that its reader may not open. No schema here: pages read it early.

/** For the public, of a memory that stands in no public or unlisted space (PRODUCT 5.4). */
export const PRIVATE_SOURCE = 'private source';

/** For a member. */
export const GONE_SOURCE = 'a memory that is gone or not yours to read';

// The texts shown for a source that its reader cannot open. Without a schema, because pages load them early.

/** Shown to the public for a memory that is in no public or unlisted space. */
export const PRIVATE_SOURCE = 'private source';

/** For a member. */
export const GONE_SOURCE = 'a memory that is gone or not yours to read';

// Feeds that a person follows: RSS, RDF, Atom and JSON feeds of other sites, whose entries become memories.
import { z } from 'zod';
import { text, timestamp, webUrl } from '../define/fields.ts';
import { idOf } from '../define/id-schema.ts';
import { LIMITS } from '../constants.ts';

/** Feeds that one person can follow in a workspace. */
export const FEEDS_MAX = 50;

const FEED_STATES = ['active', 'paused'] as const;

export const feed = z.object({
  id: idOf('feed'),
  workspaceId: idOf('workspace'),
  /** Who follows it: the memories are theirs. */
  ownerId: idOf('user'),
  /** The space of its memories. */
  spaceId: idOf('space'),
  url: webUrl,
  /** As the feed calls itself. */
  title: text(LIMITS.title),
  state: z.enum(FEED_STATES),
  /** Why it is paused, or why the last check failed. */
  problem: z.string().nullable(),
  checkedAt: timestamp.nullable(),
  /** When it is checked again; null while it is paused. */
  nextAt: timestamp.nullable(),
  created: timestamp,
  updated: timestamp,
});
export type Feed = z.infer<typeof feed>;

export const newFeed = z.object({
  /** Of the feed, or of a page that names its feed. */
  url: webUrl,
  /** Without one, a private space with the name of the feed is made. */
  spaceId: idOf('space').nullable().default(null),
});

export const feedChange = feed.pick({ spaceId: true, state: true }).partial();

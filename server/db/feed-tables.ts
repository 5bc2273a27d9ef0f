// The tables of feeds that people follow, beyond what the API shows.
import type { Feed } from '#shared/capture/feed.ts';

export interface FeedTable extends Feed {
  etag: string | null;
  lastModified: string | null;
  failingSince: string | null;
}

export interface FeedEntryTable {
  workspaceId: string;
  feedId: string;
  key: string;
  seen: string;
  saved: boolean;
}

// The thread in which one feed is read.
import { serveParent } from '../../jobs/serve-parent.ts';
import { readFeed } from './feed-text.ts';

serveParent(readFeed);

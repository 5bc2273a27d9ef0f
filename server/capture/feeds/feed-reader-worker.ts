// The process in which feeds are read.
import { serveInBackground } from '../../jobs/serve-parent.ts';
import { readFeed } from './feed-text.ts';

serveInBackground(readFeed);

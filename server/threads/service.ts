/** What other features of the server may know of threads: the reads that obey who may see what. */
export { threadsFor } from './store.ts';
export { settleQuotes } from './private-quotes.ts';
export { forgetModelUsage } from './model-usage.ts';
export { forgetVisitorThreads } from './visitor-threads.ts';

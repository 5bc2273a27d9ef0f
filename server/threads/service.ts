/** Interface of threads for other features of the server: reads that respect permissions, and clean-up. */
export { answeringModel, findAnswering } from './answering.ts';
export { threadsFor } from './store.ts';
export { settleQuotes } from './private-quotes.ts';
export { forgetModelUsage } from './model-usage.ts';
export { forgetVisitorThreads } from './visitor-threads.ts';

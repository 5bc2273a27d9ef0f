/**
 * Sets an id on each request and logs one line after its response. Paths are logged without their query, which may hold search
 * words or codes.
 */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from '../log.ts';

/** First in the chain, so that every later line and response can name the request. */
export function requestLog(log: Logger): RequestHandler {
  return (req, res, next) => {
    const requestId = randomUUID();
    const start = performance.now();
    const { method, path } = req;
    res.set('x-request-id', requestId);
    res.once('close', () => {
      const ms = Math.round((performance.now() - start) * 10) / 10;
      const line = { requestId, method, path, status: res.statusCode, ms, aborted: !res.writableFinished };
      log.debug(line, 'request');
    });
    next();
  };
}

/**
 * Which other origins may read responses of the API in a browser: our own addresses, those of the configuration and browser
 * extensions. Cookies are never allowed, since the bearer header is the only credential there is.
 */
import type { RequestHandler } from 'express';

const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/;
const DAY_SECONDS = '86400';
/** Headers of responses that scripts of other origins may read. */
const EXPOSED = [
  'x-request-id',
  'x-sync-version',
  'etag',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'idempotent-replayed',
  'content-disposition',
  'www-authenticate',
  'location',
  'tus-resumable',
  'upload-offset',
  'upload-length',
  'upload-expires',
].join(', ');
/** Headers that scripts of other origins may send. */
const ALLOWED = [
  'authorization',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-none-match',
  'last-event-id',
  'x-upload',
  'tus-resumable',
  'upload-length',
  'upload-metadata',
  'upload-offset',
].join(', ');

/** Responds to preflights and marks responses for these origins. */
export function allowOrigins(origins: readonly (string | undefined)[]): RequestHandler {
  return (req, res, next) => {
    const origin = req.get('origin');
    res.vary('Origin');
    if (origin === undefined || !(origins.includes(origin) || EXTENSION.test(origin))) return next();
    res.set('Access-Control-Allow-Origin', origin);
    res.set('Access-Control-Expose-Headers', EXPOSED);
    if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) return next();
    res.set('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
    res.set('Access-Control-Allow-Headers', ALLOWED);
    res.set('Access-Control-Max-Age', DAY_SECONDS);
    res.status(204).end();
  };
}

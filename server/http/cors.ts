/**
 * Which other origins may read answers of the API in a browser: our own addresses and browser extensions. Credentials
 * are never allowed, since the bearer header is the only one there is (SECURITY S5).
 */
import type { RequestHandler } from 'express';

const EXTENSION = /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/;
const DAY_SECONDS = '86400';
const EXPOSED = 'x-request-id, x-sync-version, retry-after, idempotent-replayed, etag, content-disposition';

/** Answers preflights and marks answers for the given origins. */
export function allowOrigins(origins: readonly (string | undefined)[]): RequestHandler {
  return (req, res, next) => {
    const origin = req.get('origin');
    res.vary('Origin');
    if (origin === undefined || !(origins.includes(origin) || EXTENSION.test(origin))) return next();
    res.set('Access-Control-Allow-Origin', origin);
    res.set('Access-Control-Expose-Headers', EXPOSED);
    if (req.method !== 'OPTIONS' || req.get('access-control-request-method') === undefined) return next();
    res.set('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
    res.set(
      'Access-Control-Allow-Headers',
      'authorization, content-type, idempotency-key, if-match, if-none-match',
    );
    res.set('Access-Control-Max-Age', DAY_SECONDS);
    res.status(204).end();
  };
}

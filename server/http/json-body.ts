/**
 * Reads JSON bodies within limits and makes them harmless: no prototype keys, no bottomless nesting . The endpoint's schema
 * validates the body.
 */
import express, { type RequestHandler } from 'express';
import { AppError } from '#shared/errors.ts';

const MAX_DEPTH = 64;
const MAX_KEYS = 1_000;
const DANGEROUS_KEYS = ['__proto__', 'constructor', 'prototype'] as const;

/** Removes dangerous keys in place. @throws AppError bad_request on nesting or width that only an attack needs */
export function disarm(value: unknown): void {
  const open: [unknown, number][] = [[value, 1]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [current, depth] = next;
    if (typeof current !== 'object' || current === null) continue;
    if (depth > MAX_DEPTH)
      throw new AppError('bad_request', `JSON may be nested ${MAX_DEPTH} levels deep at most`);
    if (!Array.isArray(current)) {
      for (const key of DANGEROUS_KEYS) Reflect.deleteProperty(current, key);
    }
    const children: unknown[] = Object.values(current);
    if (!Array.isArray(current) && children.length > MAX_KEYS) {
      throw new AppError('bad_request', `A JSON object may have ${MAX_KEYS} keys at most`);
    }
    for (const child of children) open.push([child, depth + 1]);
  }
}

/** The same limit for a body that was sent in another form and assembled here. @throws too_large */
export function refuseLargeBody(body: unknown, limitBytes: number): void {
  if (body === undefined || Buffer.byteLength(JSON.stringify(body)) <= limitBytes) return;
  throw bodyTooLarge(limitBytes);
}

/** Says how large it may be. */
export function bodyTooLarge(limitBytes: number): AppError {
  return new AppError('too_large', `The request body may have ${Math.floor(limitBytes / 1024)} kB at most`);
}

/** Parses a JSON body of at most this many bytes after decompression; other content types pass untouched. */
export function jsonBody(limitBytes: number): RequestHandler[] {
  return [
    express.json({ limit: limitBytes, strict: false }),
    (req, _res, next) => {
      disarm(req.body);
      next();
    },
  ];
}

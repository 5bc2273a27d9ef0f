/**
 * The last two handlers of the app: unknown addresses and everything that was thrown, as JSON of the house, or as
 * the error page where a browser asked for a page.
 * An expected failure keeps its words; a fault of ours is logged and answered with its request id only.
 */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { AppError, pageNotFoundMessage, toFailure } from '#shared/errors.ts';
import type { Logger } from '../log.ts';
import { bodyTooLarge } from './json-body.ts';

/** What body-parser, the router and pg put on the errors they throw. */
const foreignErrorSchema = z.object({
  type: z.string().optional(),
  code: z.string().optional(),
  status: z.number().optional(),
  message: z.string().optional(),
  /** Bytes that were allowed. */
  limit: z.number().optional(),
});

/** SQLSTATE classes that hostile text, numbers or dates cause: the input was wrong, not we (SECURITY.md 3.13). */
const INPUT_SQLSTATES = new Set([
  '22021',
  '22P05',
  '22P02',
  '22003',
  '22007',
  '22008',
  '22009',
  '2201W',
  '2201X',
]);

const UNIQUE_VIOLATION = '23505';

/** The database is away, restarting, overloaded or too slow: the same request may succeed later. */
const PASSING_SQLSTATES = /^(08\w{3}|57P0[1-5]|57014|53\w{3}|40001|40P01|55P03|25P03)$/;
const PASSING_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);
const PASSING_WORDS =
  /timeout exceeded when trying to connect|Connection terminated|connection is closed|not queryable/i;

/** Any thrown value as a failure of the table; undefined when it is a fault of ours. */
export function asAppError(thrown: unknown): AppError | undefined {
  if (thrown instanceof AppError) return thrown;
  const { data } = foreignErrorSchema.safeParse(thrown);
  if (!data) return undefined;
  if (data.type === 'entity.too.large') {
    return data.limit === undefined
      ? new AppError('too_large', 'The request body is too large')
      : bodyTooLarge(data.limit);
  }
  if (data.type === 'entity.parse.failed')
    return new AppError('bad_request', 'The request body is not valid JSON');
  if (data.type === 'encoding.unsupported' || data.type === 'charset.unsupported') {
    return new AppError(
      'unsupported_media',
      'Send JSON in UTF-8, plain or compressed with gzip, deflate or br',
    );
  }
  if (thrown instanceof URIError)
    return new AppError('bad_request', 'The address has malformed percent-encoding');
  if (data.code !== undefined && INPUT_SQLSTATES.has(data.code)) {
    return new AppError('bad_request', 'The request holds a value that cannot be stored');
  }
  if (data.code === UNIQUE_VIOLATION)
    return new AppError('conflict', 'Something with this name or id exists');
  const passing = PASSING_SQLSTATES.test(data.code ?? '') || PASSING_CODES.has(data.code ?? '');
  if (passing || PASSING_WORDS.test(data.message ?? '')) {
    return new AppError('unavailable', 'The database cannot answer now, please try again', { retryAfter: 1 });
  }
  if (data.status === 400) return new AppError('bad_request', 'The request is malformed');
  return undefined;
}

/** Answers an address nobody claimed. */
export const answerNotFound: RequestHandler = (req, res) => {
  res.status(404).json(toFailure(new AppError('not_found', pageNotFoundMessage(req.path))));
};

/** Answers with a page where a page was asked for; false when not. */
type ShowPage = (req: Request, res: Response, failure: AppError) => Promise<boolean>;

/** Answers everything that was thrown or passed to `next`. */
export function answerErrors(log: Logger, showPage?: ShowPage): ErrorRequestHandler {
  return async (thrown: unknown, req, res, next) => {
    const expected = asAppError(thrown);
    const requestId = String(res.getHeader('x-request-id'));
    if (!expected)
      log.error({ err: thrown, requestId, method: req.method, path: req.path }, 'request failed');
    else if (expected.code === 'unavailable')
      log.warn({ err: thrown, requestId, path: req.path }, 'request refused');
    // The answer has begun: all that is left is to let the client see that it broke off.
    if (res.headersSent) return next(thrown);
    const failure =
      expected ?? new AppError('internal', `Something went wrong on our side (request ${requestId})`);
    if (failure.retryAfter !== undefined) res.set('Retry-After', String(failure.retryAfter));
    if (failure.code === 'unauthorized') res.set('WWW-Authenticate', 'Bearer');
    try {
      if (await showPage?.(req, res, failure)) return;
    } catch (error) {
      log.error({ err: error, requestId, path: req.path }, 'error page failed');
    }
    res.status(failure.status).json(toFailure(failure));
  };
}

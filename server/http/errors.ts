/**
 * The last two handlers of the app: unknown addresses and everything that was thrown, as JSON in the API's error format, or as
 * the error page where a browser requested a page. An expected failure is returned with its message; a fault of ours is logged
 * and returned with its request id only.
 */
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { AppError, pageNotFoundMessage, toFailure } from '#shared/errors.ts';
import { isDatabaseTrouble } from '../db/database-trouble.ts';
import type { Logger } from '../log.ts';
import { bodyTooLarge } from './json-body.ts';

/** Fields of errors thrown by body-parser, the router and pg. */
const foreignErrorSchema = z.object({
  type: z.string().optional(),
  code: z.string().optional(),
  status: z.number().optional(),
  /** Bytes that were allowed. */
  limit: z.number().optional(),
});

/** SQLSTATE classes that hostile text, numbers or dates cause: the input was wrong, not we. */
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
  if (isDatabaseTrouble(thrown)) {
    return new AppError('unavailable', 'The database cannot answer now, please try again', { retryAfter: 1 });
  }
  if (data.status === 400) return new AppError('bad_request', 'The request is malformed');
  return undefined;
}

/** Responds to addresses that no route has. */
export const answerNotFound: RequestHandler = (req, res) => {
  res.status(404).json(toFailure(new AppError('not_found', pageNotFoundMessage(req.path))));
};

/** Sends a page where a page was requested; false when not. */
type ShowPage = (req: Request, res: Response, failure: AppError) => Promise<boolean>;

/** Sends one failure; false when the response had already begun, so that no other could be sent. */
type SendFailure = (thrown: unknown, req: Request, res: Response) => Promise<boolean>;

interface FailureAnswers {
  log: Logger;
  showPage: ShowPage;
  /** Sends a failure in the form of a standard where the call is one of its calls; false when not. */
  sendProtocolFailure: (req: Request, res: Response, failure: AppError) => boolean;
  appOrigin: string;
}

/** How failures are logged and sent, as JSON or as the error page. */
export function failureSender({
  log,
  showPage,
  sendProtocolFailure,
  appOrigin,
}: FailureAnswers): SendFailure {
  return async (thrown, req, res) => {
    const expected = asAppError(thrown);
    const requestId = String(res.getHeader('x-request-id'));
    if (!expected)
      log.error({ err: thrown, requestId, method: req.method, path: req.path }, 'request failed');
    else if (expected.code === 'unavailable')
      log.warn({ err: thrown, requestId, path: req.path }, 'request refused');
    if (res.headersSent) return false;
    const failure =
      expected ?? new AppError('internal', `Something went wrong on our side (request ${requestId})`);
    if (failure.retryAfter !== undefined) res.set('Retry-After', String(failure.retryAfter));
    const challenge = challengeOf(failure, req.get('authorization') !== undefined);
    if (challenge !== undefined) {
      // RFC 9728 section 5.1: where a client finds out who issues tokens for this API.
      const metadata = `${appOrigin}/.well-known/oauth-protected-resource/v1`;
      res.set('WWW-Authenticate', `Bearer ${challenge}resource_metadata="${metadata}"`);
    }
    for (const [name, value] of Object.entries(failure.headers)) res.set(name, value);
    if (sendProtocolFailure(req, res, failure)) return true;
    try {
      if (await showPage(req, res, failure)) return true;
    } catch (error) {
      log.error({ err: error, requestId, path: req.path }, 'error page failed');
    }
    if (res.headersSent) return false;
    res.status(failure.status).json(toFailure(failure));
    return true;
  };
}

/** Error parameters of WWW-Authenticate (RFC 6750, section 3.1); undefined when the credential is not the cause. */
function challengeOf({ code, scopes }: AppError, hasCredential: boolean): string | undefined {
  if (scopes !== undefined) return `error="insufficient_scope", scope="${scopes.join(' ')}", `;
  if (code !== 'unauthorized') return undefined;
  return hasCredential ? 'error="invalid_token", ' : '';
}

/** Handles every error that was thrown or passed to `next`. */
export function answerErrors(send: SendFailure): ErrorRequestHandler {
  return async (thrown: unknown, req, res, next) => {
    // Late work of a request that has been answered in full, as by its time limit, cannot be reported to the client any more.
    if (res.writableEnded) return;
    // A response that has begun can only break off, so that the client sees that it is not whole.
    if (!(await send(thrown, req, res))) next(thrown);
  };
}

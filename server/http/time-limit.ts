/**
 * The time limit of every call, page and API alike: a request that has waited for the database this long is answered with 503
 * while its client still listens, whatever it waits for. Time that a request spends on anything else, such as the arrival of an
 * upload, does not count, and work that has begun continues.
 */
import type { Request, RequestHandler, Response } from 'express';
import { AppError } from '#shared/errors.ts';
import { countingWaits, WaitingTime } from '../db/waiting-time.ts';
import { TIMEOUTS } from '../limits.ts';

type Refuse = (failure: AppError, req: Request, res: Response) => Promise<void>;

/** Mounted before all users of the database. */
export function limitWaiting(refuse: Refuse): RequestHandler {
  return (req, res, next) => {
    const time = new WaitingTime();
    let timer: NodeJS.Timeout | undefined;
    const look = () => {
      // Event streams stay open for as long as the client listens.
      if (res.headersSent) return;
      const left = TIMEOUTS.request - time.ms;
      if (left > 0) timer = setTimeout(look, Math.ceil(left)).unref();
      else void refuse(tookTooLong(req.method), req, res);
    };
    timer = setTimeout(look, TIMEOUTS.request).unref();
    res.once('close', () => clearTimeout(timer));
    countingWaits(time, next);
  };
}

function tookTooLong(method: string): AppError {
  const detail =
    method === 'GET' || method === 'HEAD'
      ? 'The database takes too long to answer, please try again'
      : 'The database takes too long to answer, so this may or may not be saved';
  return new AppError('unavailable', detail, { retryAfter: 1 });
}

/**
 * Headers of every response, and the strictest policy for the API, which serves no documents. Pages set their own
 * Content-Security-Policy, because it depends on their scripts.
 */
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { REFERRER_POLICY } from '#shared/referrer-policy.ts';

const YEAR_SECONDS = 31_536_000;

const NO_FEATURES = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'midi', 'serial']
  .concat(['accelerometer', 'gyroscope', 'magnetometer', 'display-capture', 'browsing-topics'])
  .map((feature) => `${feature}=()`)
  .join(', ');

/** For every response; HSTS only where the public address is https. */
export function securityHeaders(appOrigin: string): RequestHandler[] {
  return [
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: appOrigin.startsWith('https:') && {
        maxAge: YEAR_SECONDS,
        includeSubDomains: true,
      },
      referrerPolicy: { policy: REFERRER_POLICY },
      crossOriginOpenerPolicy: { policy: 'same-origin' },
      crossOriginResourcePolicy: { policy: 'same-site' },
      xFrameOptions: { action: 'deny' },
    }),
    (_req, res, next) => {
      res.set('Permissions-Policy', NO_FEATURES);
      next();
    },
  ];
}

/** For the API: nothing may be loaded from a response, framed, or cached. */
export const apiHeaders: RequestHandler = (_req, res, next) => {
  res.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  res.set('Cache-Control', 'no-store');
  next();
};

/**
 * The two addresses of a log-in at an identity provider that browsers open: its start, and the way back. They are no
 * endpoint rows, because they respond with redirects. Failures are shown by the page that the browser ends on.
 */
import { randomBytes } from 'node:crypto';
import { type Express, type Request, type RequestHandler, type Response } from 'express';
import { IDENTITY_PROVIDERS, type ProviderName } from '#shared/accounts/identity-providers.ts';
import { PROVIDER_SIGN_IN } from '#shared/accounts/limits.ts';
import { AppError } from '#shared/errors.ts';
import { pathTo } from '#shared/pages.ts';
import type { Context } from '../context.ts';
import { addressOf } from '../http/caller-address.ts';
import { findCookie, isSecure } from '../http/cookies.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { redirectTo, redirectToProvider } from '../http/redirect.ts';
import { isDeclined } from '../providers/identity.ts';
import { beginProviderRequest, finishProviderRequest, requireProvider } from './provider-requests.ts';

const BROWSER_SECRET = /^[\w-]{43}$/;
const CHALLENGE = /^[\w-]{43}$/;

const PAGES = { github: 'github_callback', google: 'google_callback' } as const;

/** Mounts the addresses of both providers; one that is not configured returns not found. */
export function mountProviderSignIn(app: Express, context: Context, limits: RateLimits): void {
  for (const provider of IDENTITY_PROVIDERS) {
    app.get(`/v1/auth/${provider}`, begin(context, limits, provider));
    app.get(`/v1/auth/${provider}/callback`, finish(context, limits, provider));
  }
}

function begin(context: Context, limits: RateLimits, provider: ProviderName): RequestHandler {
  return async (req, res) => {
    await limits.take('login', { address: addressOf(req) });
    requireProvider(context, provider);
    closeAddress(res);
    const { challenge } = req.query;
    if (challenge !== undefined && (typeof challenge !== 'string' || !CHALLENGE.test(challenge))) {
      throw new AppError('invalid', 'challenge: a SHA-256 in base64url');
    }
    // A browser that has an id reuses it, so that two tabs can log in at the same time.
    const browser = browserOf(context, req) ?? randomBytes(32).toString('base64url');
    try {
      const url = await beginProviderRequest(context, { provider, browser, challenge });
      setBrowser(context, res, browser);
      redirectToProvider(res, url);
    } catch (error) {
      context.log.warn({ err: error, provider }, 'an identity provider could not be reached');
      endOn(res, provider, { error: 'unavailable' });
    }
  };
}

function finish(context: Context, limits: RateLimits, provider: ProviderName): RequestHandler {
  return async (req, res) => {
    await limits.take('login', { address: addressOf(req) });
    requireProvider(context, provider);
    closeAddress(res);
    const callback = new URL(req.originalUrl, context.config.appOrigin);
    try {
      const browser = browserOf(context, req);
      endOn(res, provider, { code: await finishProviderRequest(context, { provider, browser, callback }) });
    } catch (error) {
      const declined = isDeclined(error);
      if (!declined) context.log.warn({ err: error, provider }, 'a log-in at a provider failed');
      endOn(res, provider, { error: declined ? 'declined' : 'failed' });
    }
  };
}

/** A fragment is sent to no server and in no Referer header. */
function endOn(res: Response, provider: ProviderName, fragment: { code: string } | { error: string }): void {
  redirectTo(res, 303, `${pathTo(PAGES[provider], {})}#${new URLSearchParams(fragment).toString()}`);
}

/** The address holds a code of the provider. */
function closeAddress(res: Response): void {
  res.set('Cache-Control', 'no-store').set('Referrer-Policy', 'no-referrer');
}

/** Browsers accept such a name only when the cookie is Secure, for this host alone, so that no neighbour can set it. */
function cookieName({ config }: Context): string {
  return isSecure(config) ? '__Host-sign-in' : 'sign-in';
}

function setBrowser(context: Context, res: Response, browser: string): void {
  res.cookie(cookieName(context), browser, {
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure(context.config),
    path: '/',
    maxAge: PROVIDER_SIGN_IN.requestMs,
  });
}

/** The secret of the browser; it only authorizes the completion of a request that began there. */
function browserOf(context: Context, req: Request): string | undefined {
  const value = findCookie(req.get('cookie'), cookieName(context)) ?? '';
  return BROWSER_SECRET.test(value) ? value : undefined;
}

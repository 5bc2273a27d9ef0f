/**
 * Failures of the protocol's own calls. Clients need the form of RFC 6749 section 5.2, where `error` is a word; the message and
 * the detail of all other calls of the API are beside it.
 */
import { OAUTH_ERRORS } from '#shared/errors.ts';

export interface WireFailure {
  status: number;
  body: Record<string, unknown>;
}

interface Circumstances {
  status: number;
  /** Whether the request carried any credentials. */
  hasCredential: boolean;
  /** The call wants a token and not a client. */
  wantsToken: boolean;
}

export function wireFailure(body: Record<string, unknown>, { status, ...about }: Circumstances): WireFailure {
  const detail = typeof body['error_description'] === 'string' ? body['error_description'] : '';
  const unproven = !about.hasCredential && (about.wantsToken || isClientFailure(body['error']));
  const sentence = unproven ? OAUTH_ERRORS.unauthenticated : sentenceFor(status, body['error']);
  return {
    status: unproven ? 401 : status,
    body: {
      ...body,
      ...(unproven && { error: about.wantsToken ? 'invalid_token' : 'invalid_client' }),
      error_description: sentence,
      message: sentence,
      detail: detail || sentence,
    },
  };
}

function isClientFailure(error: unknown): boolean {
  return error === 'invalid_client' || error === 'invalid_request';
}

function sentenceFor(status: number, error: unknown): string {
  if (error === 'invalid_client') return OAUTH_ERRORS.client;
  if (error === 'invalid_token' || status === 401) return OAUTH_ERRORS.token;
  return status >= 500 ? OAUTH_ERRORS.internal : OAUTH_ERRORS.request;
}

/** The browser's credential store: making passkeys and answering with them. Loaded with the first use. */
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { MadePasskey, PasskeyAnswer } from '#shared/accounts/second-factor-endpoints.ts';
import { ApiProblem } from '#client/api/api-problem.ts';

export function hasPasskeys(): boolean {
  return typeof globalThis.PublicKeyCredential === 'function';
}

/** Thrown when the person dismissed the browser's dialog, or the browser could not show it. */
class PasskeyCancelled extends Error {
  override readonly name = 'PasskeyCancelled';
}

/** Message for a failed passkey operation; undefined when the person cancelled it. */
export function passkeyProblem(failure: unknown): string | undefined {
  if (failure instanceof PasskeyCancelled) return undefined;
  if (failure instanceof ApiProblem && failure.error.code === 'invalid')
    return 'This passkey was not accepted.';
  return failure instanceof Error && failure.name === 'InvalidStateError'
    ? 'This device already has a passkey for your account.'
    : 'The passkey could not be used. Try again.';
}

/** Makes a passkey by the server's options. @throws PasskeyCancelled, or the browser's error */
export async function makePasskey(options: Record<string, unknown>): Promise<MadePasskey> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  if (!hasChallenge<PublicKeyCredentialCreationOptionsJSON>(options)) throw unreadable();
  const made = await unlessCancelled(startRegistration({ optionsJSON: options }));
  const { clientDataJSON, attestationObject, transports = [] } = made.response;
  return {
    id: made.id,
    rawId: made.rawId,
    type: made.type,
    clientExtensionResults: {},
    response: { clientDataJSON, attestationObject, transports },
  };
}

/** Signs in with a passkey using the server's options. @throws PasskeyCancelled, or the browser's error */
export async function answerWithPasskey(options: Record<string, unknown>): Promise<PasskeyAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  if (!hasChallenge<PublicKeyCredentialRequestOptionsJSON>(options)) throw unreadable();
  const { id, rawId, type, response } = await unlessCancelled(startAuthentication({ optionsJSON: options }));
  return { id, rawId, type, clientExtensionResults: {}, response };
}

/** The server's library creates options for the browser's one; only their challenge is checked. */
function hasChallenge<T extends { challenge: string }>(
  options: Record<string, unknown>,
): options is T & typeof options {
  return typeof options['challenge'] === 'string';
}

const unreadable = () => new Error('The server sent no options for a passkey');

/** Browsers throw the same error for a dismissed dialog and for a timeout. */
async function unlessCancelled<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')) {
      throw new PasskeyCancelled('The question was closed', { cause: error });
    }
    throw error;
  }
}

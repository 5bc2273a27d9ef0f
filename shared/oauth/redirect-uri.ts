// Where an authorization code may be sent: https anywhere, http on this device, or the private scheme of an application.
// Knows no zod, so that a form can use it too.

/** Hosts that never leave the device. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Schemes of well-known editors that are older than the rule of RFC 8252 section 7.1, which asks for a dot. */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set([
  'cursor:',
  'vscode:',
  'vscode-insiders:',
  'windsurf:',
  'zed:',
]);
const REDIRECT_MAX = 2_048;

/** True for http on the device itself. */
export function isLoopback(url: URL): boolean {
  return url.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

/** Why a redirect address is refused; undefined when it is fine. */
export function redirectProblem(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || text.length > REDIRECT_MAX || /[\s\\*]/.test(text)) return 'is not a valid address';
  if (text.includes('#')) return 'may not have a fragment';
  if (url.username !== '' || url.password !== '') return 'may not carry a name or password';
  if (url.protocol === 'https:' || isLoopback(url)) return undefined;
  if (url.protocol === 'http:') return 'must use https unless it is on this device';
  const isPrivate = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/.test(url.protocol);
  return isPrivate || KNOWN_SCHEMES.has(url.protocol) ? undefined : 'uses a scheme that is not accepted';
}

/** Whether all addresses belong to an application on the person's own device (RFC 8252). */
export function isNativeClient(redirectUris: readonly string[]): boolean {
  return redirectUris.every((text) => {
    const url = URL.parse(text);
    return url !== null && url.protocol !== 'https:';
  });
}

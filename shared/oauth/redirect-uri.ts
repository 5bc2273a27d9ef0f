// Where an authorization code may be sent: https anywhere, http on this device, or the private scheme of an application.
// Knows no zod, so that a form can use it too.

/** Hosts that never leave the device. */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Schemes of well-known editors that are older than the rule of RFC 8252 section 7.1, which requires a dot. */
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

/** Addresses at which a browser passes a response to the extension with the id in them. */
const EXTENSION_HOST = /^([a-p]{32})\.chromiumapp\.org$/;

/** Origins of the scripts that a client with this redirect address has: its site, or its browser extension. */
export function originsOf(redirectUri: string): string[] {
  const url = URL.parse(redirectUri);
  if (url === null) return [];
  const extension =
    url.protocol === 'https:' && url.port === '' ? EXTENSION_HOST.exec(url.hostname)?.[1] : undefined;
  return [url.origin, ...(extension === undefined ? [] : [`chrome-extension://${extension}`])];
}

/** Firefox names the extension in the address, and assigns its scripts a random origin in each browser. */
const FIREFOX_HOST = /^[\da-f]{40}\.extensions\.allizom\.org$/;
const FIREFOX_ORIGIN = /^moz-extension:\/\/[\da-f-]{36}$/;

/** Whether scripts of an origin may belong to a client with this redirect address. */
export function isOriginOf(redirectUri: string, origin: string): boolean {
  if (originsOf(redirectUri).includes(origin)) return origin !== 'null';
  const url = URL.parse(redirectUri);
  const isFirefox = url?.protocol === 'https:' && url.port === '' && FIREFOX_HOST.test(url.hostname);
  return isFirefox && FIREFOX_ORIGIN.test(origin);
}

/** Whether all addresses belong to an application on the person's own device (RFC 8252). */
export function isNativeClient(redirectUris: readonly string[]): boolean {
  return redirectUris.every((text) => {
    const url = URL.parse(text);
    return url !== null && url.protocol !== 'https:';
  });
}

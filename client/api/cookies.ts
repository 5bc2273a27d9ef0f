// The page's own cookies: which session and which workspace (names in shared/constants.ts). The server reads neither;
// they are cookies so that a browser extension of the same person can find them.

export function readCookie(name: string): string | undefined {
  if (typeof document === 'undefined') return undefined;
  const pair = document.cookie.split('; ').find((candidate) => candidate.startsWith(`${name}=`));
  return pair === undefined ? undefined : decodeURIComponent(pair.slice(name.length + 1));
}

function attributes(): string {
  const secure = globalThis.location.protocol === 'https:' ? '; Secure' : '';
  return `; Path=/; SameSite=Lax${secure}`;
}

export function writeCookie(name: string, value: string, days: number): void {
  document.cookie = `${name}=${encodeURIComponent(value)}; Max-Age=${days * 86_400}${attributes()}`;
}

export function dropCookie(name: string): void {
  document.cookie = `${name}=; Max-Age=0${attributes()}`;
}

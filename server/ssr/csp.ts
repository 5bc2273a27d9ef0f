// Content-Security-Policy of HTML responses. Inline scripts have hashes instead of nonces, so that pages can be cached.

interface CspInput {
  scriptHashes: string[];
  /** Further origins that the page may call (API host, media host). */
  connect?: string[];
  /** Development: Vite injects inline scripts and opens a socket. */
  development: boolean;
}

/** The header's value for one kind of page. */
export function contentSecurityPolicy({ scriptHashes, connect = [], development }: CspInput): string {
  const scripts = development ? ["'self'", "'unsafe-inline'"] : ["'self'", ...scriptHashes];
  const rules = [
    "default-src 'none'",
    `script-src ${scripts.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${["'self'", ...connect, ...(development ? ['ws:', 'wss:'] : [])].join(' ')}`,
    // While a server restarts, Vite waits in a worker made from a blob.
    `worker-src 'self'${development ? ' blob:' : ''}`,
    // The saved page of a link, in a sandboxed frame.
    'frame-src blob:',
    "manifest-src 'self'",
    "media-src 'self' blob:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "object-src 'none'",
    // Vite's own client writes HTML.
    ...(development ? [] : ["require-trusted-types-for 'script'", 'trusted-types default']),
  ];
  return rules.join('; ');
}

// The page's one policy for Trusted Types: browsers that support them refuse every text assigned to HTML or a script address,
// except those listed here. Our code never renders raw HTML, so the list is short.

/** A Markdown parser lets the browser decode a named character reference, such as `&copy;`. */
const CHARACTER = /^&[a-z0-9]{1,40};$/i;
/** Workers of the build, and the service worker. */
const OWN_SCRIPT = /^\/(?:assets\/[\w.-]+|service-worker)\.js$/;

function ownScript(address: string): string | null {
  const url = URL.parse(address, location.origin);
  return url?.origin === location.origin && OWN_SCRIPT.test(url.pathname) ? address : null;
}

interface PolicyFactory {
  createPolicy(name: string, rules: Record<string, (text: string) => string | null>): unknown;
}

/** zod compiles its checks when it may; under our policy it may not, and even its asking would be reported. */
function checkWithoutCompiling(): void {
  Reflect.set(globalThis, '__zod_globalConfig', { jitless: true });
}

/** Installs the policy; call before anything else runs. Not in development, where the server's own client writes HTML. */
export function refuseForeignScripts(): void {
  checkWithoutCompiling();
  const factory: PolicyFactory | undefined = Reflect.get(globalThis, 'trustedTypes');
  if (!import.meta.env.PROD || !factory) return;
  factory.createPolicy('default', {
    createHTML: (text) => (CHARACTER.test(text) ? text : null),
    createScriptURL: ownScript,
  });
}

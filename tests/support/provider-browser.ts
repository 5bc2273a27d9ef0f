/** A browser in a test of the server: it follows redirects between a world and its providers and keeps their cookies. */
import { reachable, type World } from './world.ts';

/** Where a chain of redirects ended. */
export interface Arrival {
  /** Addresses in the order in which they were opened, in public form. */
  visited: readonly URL[];
  /** The last address, which is a page of the application, with its fragment. */
  page: URL;
}

/** One browser profile. */
export interface TestBrowser {
  /** Opens an address of the application or of a provider and follows it to a page. */
  open(address: string): Promise<Arrival>;
  /** The answer to one address, redirects not followed. */
  step(address: string): Promise<Response>;
}

const STEPS_MAX = 12;

/** Every profile comes from an address of its own, where the world trusts proxies, so that no test meets a limit. */
let visitors = 0;

/** The header that makes a request come from another address. */
export function fromElsewhere(): { 'x-forwarded-for': string } {
  visitors += 1;
  return { 'x-forwarded-for': `198.51.${visitors >> 8}.${visitors & 255}` };
}

/** A profile without cookies. */
export function createBrowser(world: World): TestBrowser {
  const origin = world.context.config.appOrigin;
  const address = fromElsewhere();
  const jars = new Map<string, Map<string, string>>();
  const step = async (target: string) => {
    const url = new URL(target, origin);
    const jar = jars.get(url.host) ?? new Map<string, string>();
    jars.set(url.host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(reachable(world, url), {
      redirect: 'manual',
      headers: { ...address, ...(cookie === '' ? {} : { cookie }), accept: 'text/html' },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  return {
    step,
    async open(start) {
      const visited = [new URL(start, origin)];
      for (let steps = 0; steps < STEPS_MAX; steps += 1) {
        const at = visited.at(-1) ?? new URL(origin);
        if (at.origin === origin && !at.pathname.startsWith('/v1/')) return { visited, page: at };
        const response = await step(at.href);
        const location = response.headers.get('location');
        if (location === null) {
          throw new Error(`${at.href} answered ${response.status}: ${await response.text()}`);
        }
        visited.push(new URL(location, at));
      }
      throw new Error(`Too many redirects: ${visited.map(String).join(' → ')}`);
    },
  };
}

/** What stands in the fragment of an address. */
export function fragmentOf({ hash }: URL): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(hash.slice(1)));
}

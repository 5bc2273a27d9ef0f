/**
 * Calls into the provider library inside this process. The library never sees a request of the network: what it gets has
 * the public address of this server, no cookie, and a body that was read within limits.
 */
import inject, { type Response as Injected } from 'light-my-request';
import type { Provider } from 'oidc-provider';
import type { Context } from '../context.ts';
import { beginRun, type AuthorizationRun } from './authorization-run.ts';
import { issuerOf } from './resources.ts';
import { readSigningKeys } from './signing-keys.ts';

/** A request to the library; `path` is relative to the issuer. */
export interface ProviderRequest {
  method: 'GET' | 'POST' | 'OPTIONS';
  path: string;
  headers?: Readonly<Record<string, string | undefined>>;
  body?: string;
  run?: AuthorizationRun;
}

/** One library instance per process and set of keys. */
export interface ProviderDoor {
  send(request: ProviderRequest): Promise<Injected>;
}

/** How long the set of keys is used before it is read again. */
const KEYS_FRESH_MS = 60_000;

interface Built {
  version: string;
  provider: Provider;
  handle: ReturnType<Provider['callback']>;
  readAt: number;
}

const doors = new WeakMap<Context['db'], ProviderDoor>();

export function openProvider(context: Context): ProviderDoor {
  const known = doors.get(context.db) ?? createDoor(context);
  doors.set(context.db, known);
  return known;
}

function createDoor(context: Context): ProviderDoor {
  const { host, protocol } = new URL(context.config.appOrigin);
  const mount = new URL(issuerOf(context.config)).pathname;
  let built: Promise<Built> | undefined;

  async function build(before: Built | undefined): Promise<Built> {
    const keys = await readSigningKeys(context);
    const readAt = context.clock.now().getTime();
    if (before?.version === keys.version) return { ...before, readAt };
    const { createProvider } = await import('./provider.ts');
    const provider = createProvider(context, keys);
    return { version: keys.version, provider, handle: provider.callback(), readAt };
  }

  async function current(): Promise<Built> {
    const pending = built;
    const known = await pending;
    if (known && context.clock.now().getTime() - known.readAt < KEYS_FRESH_MS) return known;
    // The first request reads the keys again; the others wait for the same result.
    if (built === pending) {
      built = build(known);
      built.catch(() => {
        built = undefined;
      });
    }
    return built ?? current();
  }

  return {
    async send({ method, path, headers = {}, body, run }) {
      const { handle } = await current();
      const given = Object.entries(headers).filter(
        (header): header is [string, string] => header[1] !== undefined,
      );
      return inject(
        (req, res) => {
          // The library finds out from this where it is mounted.
          Object.assign(req, { originalUrl: mount + (req.url ?? '') });
          if (run) beginRun(req, run);
          void handle(req, res);
        },
        {
          method,
          url: path,
          headers: {
            ...Object.fromEntries(given),
            host,
            'x-forwarded-host': host,
            'x-forwarded-proto': protocol.slice(0, -1),
          },
          ...(body === undefined ? {} : { payload: body }),
        },
      );
    },
  };
}

/** What a 401 does to the session of a page: forgotten at once, and 200 ms later the login is asked for. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { COOKIES } from '#shared/constants.ts';
import { newId } from '#shared/ids.ts';
import { beginImpersonation, endSession, isImpersonating, sessionToken } from '#client/api/session.ts';
import { rememberedPerson } from '#tests/support/remembered-person.ts';

const cookies = new Map<string, string>();
const assign = vi.fn<(address: string) => void>();
const reload = vi.fn<() => void>();

/** Only what the page's cookies need of a document. */
const page = {
  get cookie() {
    return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  },
  set cookie(text: string) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    if (text.includes('Max-Age=0')) cookies.delete(name);
    else cookies.set(name, value);
  },
};

function openAt(address: string): void {
  const { pathname, search, hash } = new URL(address, 'http://loci.invalid');
  vi.stubGlobal('location', { pathname, search, hash, protocol: 'http:', assign, reload });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  vi.stubGlobal('sessionStorage', { setItem: vi.fn<() => void>() });
  cookies.set(COOKIES.session, 'token');
  cookies.set(COOKIES.workspace, newId('workspace'));
  assign.mockReset();
  reload.mockReset();
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a session that ends by a 401', () => {
  it('is removed at once with the impersonation, and the login opens 200 ms later', () => {
    openAt('/acme/threads');
    beginImpersonation({ token: 'of another person', person: rememberedPerson() });
    endSession();
    expect([sessionToken(), isImpersonating(), [...cookies]]).toEqual([undefined, false, []]);
    vi.advanceTimersByTime(199);
    expect(assign).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(assign.mock.calls).toEqual([['/login?clear=true']]);
  });

  it('leads back to path, query and hash, without the secret of a mailed link', () => {
    const loginFrom = (address: string) => {
      openAt(address);
      endSession();
      vi.advanceTimersByTime(1000);
      return assign.mock.lastCall?.[0];
    };
    expect(loginFrom('/acme/spaces?tag=a#b')).toBe(
      '/login?clear=true&redirect=%2Facme%2Fspaces%3Ftag%3Da%23b',
    );
    expect(loginFrom('/onboarding/verify-email#token=secret')).toBe(
      '/login?clear=true&redirect=%2Fonboarding%2Fverify-email',
    );
  });

  it('of many calls at once leads to the login once', () => {
    openAt('/acme');
    endSession();
    endSession();
    vi.advanceTimersByTime(1000);
    expect(assign).toHaveBeenCalledTimes(1);
  });

  it('of a token that another tab has replaced leaves the new session and starts the page again', () => {
    openAt('/acme/threads');
    const workspace = cookies.get(COOKIES.workspace);
    cookies.set(COOKIES.session, 'token of the next person');
    endSession('token');
    expect(sessionToken()).toBe('token of the next person');
    expect(cookies.get(COOKIES.workspace)).toBe(workspace);
    vi.advanceTimersByTime(1000);
    expect(assign).not.toHaveBeenCalled();
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it.each(['/login', '/signup'])('stays on %s', (pathname) => {
    openAt(pathname);
    endSession();
    vi.advanceTimersByTime(1000);
    expect(assign).not.toHaveBeenCalled();
    expect(sessionToken()).toBeUndefined();
  });
});

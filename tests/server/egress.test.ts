/** The way out: what may be fetched, decided on names, addresses and redirects, with a site on this machine as the bait. */
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createEgress, EgressError, isPublicAddress, type Egress } from '#server/providers/egress.ts';
import { page, redirect, serveSite, type LocalSite } from '#tests/support/local-site.ts';

const OPTIONS = { maxBytes: 1_000, accept: '*/*', accepts: () => true };

let site: LocalSite;
let port: string;
let closed: Egress;
let open: Egress;

beforeAll(async () => {
  site = await serveSite({
    '/': page('hello'),
    '/big': page('x'.repeat(1_001)),
    '/drip': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      for (let count = 0; count < 1_001; count += 1) response.write('x');
      response.end();
    },
    '/file': redirect('file:///etc/passwd'),
    '/long': redirect(`/${'x'.repeat(3_000)}`),
  });
  ({ port } = new URL(site.url));
  closed = createEgress('public');
  open = createEgress('private');
});
afterAll(async () => {
  await Promise.all([closed.close(), open.close()]);
  await site.close();
});

async function faultOf(egress: Egress, url: string): Promise<string> {
  try {
    await egress.get(url, OPTIONS);
    return 'none';
  } catch (error) {
    if (error instanceof EgressError) return error.fault;
    throw error;
  }
}

describe('addresses', () => {
  test.each([
    '127.0.0.1', '10.0.0.1', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '224.0.0.1',
    '255.255.255.255', '192.0.2.1', '198.18.0.1', '240.0.0.1', '::1', '::', 'fc00::1', 'fe80::1', '::ffff:127.0.0.1',
    '::ffff:a00:1', '2002:7f00:1::', '2001::1', '64:ff9b::7f00:1', 'ff02::1', '2001:db8::1', 'not an address', '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  }); // prettier-ignore

  test.each(['93.184.215.14', '2606:4700:4700::1111'])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('a server that keeps to the public internet', () => {
  const forms = (at: string) => [
    `http://127.0.0.1${at}/`, `http://localhost${at}/`, `http://2130706433${at}/`, `http://0x7f000001${at}/`,
    `http://0177.0.0.1${at}/`, `http://127.1${at}/`, `http://0${at}/`, `http://[::1]${at}/`,
    `http://[::ffff:127.0.0.1]${at}/`, `http://１２７.0.0.1${at}/`, `http://127。0。0。1${at}/`,
    `http://user:secret@127.0.0.1${at}/`, `http://169.254.169.254/latest/meta-data`, `ftp://127.0.0.1${at}/`,
    'file:///etc/passwd', 'data:text/html,hello', 'javascript:1', 'no address', `http://example.org:22/`,
    `https://example.org/${'x'.repeat(2_048)}`,
  ]; // prettier-ignore

  it('reaches nothing on this machine, however the address is written', async () => {
    const asked = site.asked.length;
    for (const url of [...forms(`:${port}`), ...forms('')]) {
      expect([url, await faultOf(closed, url)]).toEqual([url, 'blocked']);
    }
    expect(site.asked).toHaveLength(asked);
  });
});

describe('a server that fetches nothing', () => {
  it('refuses every address', async () => {
    const none = createEgress('none');
    expect(await faultOf(none, `${site.url}/`)).toBe('off');
    await none.close();
  });
});

describe('a server that may reach its own network', () => {
  it('gets what is there', async () => {
    const { status, body, mediaType } = await open.get(`${site.url}/`, OPTIONS);
    expect([status, body.toString(), mediaType]).toEqual([200, 'hello', 'text/html']);
  });

  it('still follows redirects to web addresses only', async () => {
    expect(await faultOf(open, `${site.url}/file`)).toBe('blocked');
    expect(await faultOf(open, `${site.url}/long`)).toBe('blocked');
  });

  it('takes no more than it was asked to, announced or not', async () => {
    expect(await faultOf(open, `${site.url}/big`)).toBe('too_large');
    expect(await faultOf(open, `${site.url}/drip`)).toBe('too_large');
  });

  it('says what is not there', async () => {
    expect(await faultOf(open, 'http://nowhere.invalid/')).toMatch(/unknown_host|network/);
    expect(await faultOf(open, 'http://127.0.0.1:1/')).toBe('network');
    expect(await faultOf(open, site.url.replace('http:', 'https:'))).toMatch(/tls|network/);
  });

  it('ends when it is told to', async () => {
    const signal = AbortSignal.abort();
    await expect(open.get(`${site.url}/`, { ...OPTIONS, signal })).rejects.toThrow(EgressError);
  });
});

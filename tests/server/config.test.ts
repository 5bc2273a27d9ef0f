/** The configuration: good defaults, every mistake named at once, and a program that refuses to start on one. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '#server/config.ts';

/** The problems an environment has. */
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('parseConfig', () => {
  it('needs nothing: the defaults are a private server on this machine', () => {
    expect(parseConfig({})).toMatchObject({
      env: 'development',
      port: 4000,
      host: '127.0.0.1',
      databaseUrl: undefined,
      dataDir: path.resolve('.data'),
      appOrigin: 'http://localhost:4000',
      signupMode: 'open',
      trustProxy: false,
    });
  });

  it('takes an empty variable as unset', () => {
    expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toEqual(parseConfig({}));
  });

  it('stays on loopback unless it is production with its own database', () => {
    const url = 'postgres://u:p@db.example/loci';
    expect(parseConfig({ LOCI_ENV: 'production' }).host).toBe('127.0.0.1');
    expect(parseConfig({ DATABASE_URL: url }).host).toBe('127.0.0.1');
    expect(parseConfig({ LOCI_ENV: 'production', DATABASE_URL: url }).host).toBe('0.0.0.0');
    expect(parseConfig({ HOST: '::' }).host).toBe('::');
  });

  it('takes no mails unless it is told to, and none without a domain', () => {
    const domain = { INBOUND_MAIL_DOMAIN: 'In.Loci.example' };
    expect(parseConfig({}).inboundMail).toBeUndefined();
    expect(parseConfig(domain).inboundMail).toMatchObject({ domain: 'in.loci.example', port: undefined });
    expect(parseConfig({ ...domain, INBOUND_MAIL_PORT: '2525' }).inboundMail).toEqual({
      domain: 'in.loci.example',
      port: 2_525,
      host: '127.0.0.1',
    });
    expect(problemsOf({ INBOUND_MAIL_PORT: '2525' })).toEqual([
      'INBOUND_MAIL_DOMAIN: must be set with INBOUND_MAIL_PORT',
    ]);
  });

  it('takes the address of a NATS server apart', () => {
    const pokeServer = (POKE_URL: string) => parseConfig({ POKE_URL }).pokeServer;
    expect(parseConfig({}).pokeServer).toBeUndefined();
    expect(pokeServer('nats://bus')).toEqual({ host: 'bus', port: 4222, isTls: false });
    expect(pokeServer('tls://a%20user:p%40ss@bus.example:4333')).toEqual({
      host: 'bus.example',
      port: 4333,
      isTls: true,
      user: 'a user',
      pass: 'p@ss',
    });
    expect(pokeServer('nats://a-token@[::1]:4222')).toEqual({
      host: '[::1]',
      port: 4222,
      isTls: false,
      token: 'a-token',
    });
    for (const [address, problem] of [
      ['http://bus', 'POKE_URL: must be a URL starting with nats:// or tls://'],
      ['nats://', 'POKE_URL: must have a host, and neither a path nor parameters'],
      ['nats://bus/subject', 'POKE_URL: must have a host, and neither a path nor parameters'],
      ['nats://u:secret%zz@bus', 'POKE_URL: the user or the password has a % that encodes no character'],
    ] as const)
      expect(problemsOf({ POKE_URL: address })).toEqual([problem]);
  });

  it('reads which proxies to trust', () => {
    expect(parseConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2);
    expect(parseConfig({ TRUST_PROXY: 'loopback' }).trustProxy).toBe('loopback');
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '4e3'],
    ['DATABASE_URL', 'mysql://x/y'],
    ['APP_ORIGIN', 'https://loci.example/app'],
    ['APP_ORIGIN', 'loci.example'],
    ['SIGNUP_MODE', 'maybe'],
    ['TRUST_PROXY', 'yes'],
    ['LOG_LEVEL', 'loud'],
    ['METRICS_TOKEN', 'short'],
    ['LOCI_ENV', 'prod'],
    ['INBOUND_MAIL_DOMAIN', 'not a domain'],
    ['INBOUND_MAIL_PORT', '70000'],
    ['OCR_LANGUAGES', 'eng deu'],
    ['LOCI_PATIENCE', '0.05'],
    ['LOCI_PATIENCE', '101'],
    ['LOCI_PATIENCE', '1e1'],
  ])('refuses %s=%s and names the variable', (name, value) => {
    expect(problemsOf({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
  });

  it('needs both halves of what an identity provider gave', () => {
    expect(parseConfig({}).github).toBeUndefined();
    const both = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' };
    expect(parseConfig(both).google).toEqual({
      clientId: 'id',
      clientSecret: 'secret',
      issuer: 'https://accounts.google.com',
    });
    expect(problemsOf({ GITHUB_CLIENT_ID: 'id' })).toEqual([
      'GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET: set both or neither',
    ]);
    expect(problemsOf({ ...both, GOOGLE_ISSUER: 'http://id.example', LOCI_ENV: 'production' })).toEqual([
      expect.stringMatching(/^GOOGLE_ISSUER: must begin with https/),
    ]);
  });

  it('names every wrong value at once', () => {
    expect(problemsOf({ PORT: 'x', LOG_LEVEL: 'x', SIGNUP_MODE: 'x' })).toHaveLength(3);
  });
});

describe('the program', () => {
  it('ends with status 1 and a readable list when values are wrong', () => {
    const main = path.resolve(import.meta.dirname, '../../server/main.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [main], {
      env: { PATH: process.env['PATH'], PORT: 'http', SIGNUP_MODE: 'sometimes' },
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('2 configuration value(s) are wrong');
    expect(stderr).toMatch(/^- PORT: must be a whole number/m);
    expect(stderr).toMatch(/^- SIGNUP_MODE: /m);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

/**
 * The only reader of the environment: every variable with its meaning, parsed once.
 * It knows nothing else of the server; `parseConfig` is pure, so a test can give it any environment.
 */
import path from 'node:path';
import { z } from 'zod';
import { normalizeEmail } from '#shared/email-address.ts';

/** Thrown when variables are wrong; `problems` names each of them in words an operator can act on. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `Loci cannot start, ${problems.length} configuration value(s) are wrong:\n- ${problems.join('\n- ')}`,
    );
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const originMessage = 'must be an origin such as https://loci.example, without a path';

const origin = z.string().refine((value) => {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === value;
}, originMessage);

const urlWith = (schemes: readonly string[]) =>
  z
    .string()
    .refine(
      (value) => schemes.includes(URL.parse(value)?.protocol ?? ''),
      `must be a URL starting with ${schemes.join('// or ')}//`,
    );

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const trustProxy = z
  .string()
  .regex(
    /^(false|loopback|\d{1,2}|[0-9a-f.:/]+(, ?[0-9a-f.:/]+)*)$/i,
    'must be false, loopback, the number of proxies, or their addresses separated by commas',
  )
  .transform((value): false | number | string => {
    if (value === 'false' || value === '0') return false;
    return /^\d+$/.test(value) ? Number(value) : value;
  });

const vapidKey = (bytes: number) =>
  z
    .string()
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `must be ${bytes} bytes in base64url`,
    );

const emailList = z.string().transform((value, context) => {
  const typed = value.split(',');
  const addresses = typed.flatMap((address) => normalizeEmail(address)?.toLowerCase() ?? []);
  if (addresses.length < typed.length) context.addIssue('must be e-mail addresses separated by commas');
  return addresses;
});

const allowList = z.string().transform((value, context) => {
  const typed = value.split(',').map((each) => each.trim().toLowerCase());
  const isFit = (each: string) => normalizeEmail(each.includes('@') ? each : `any@${each}`) !== undefined;
  if (!typed.every(isFit)) context.addIssue('must be e-mail addresses and domains separated by commas');
  return typed;
});

const mailFrom = z.string().refine((value) => {
  const address = /^[^<>\p{Cc}]*<([^<>\s]+)>$/u.exec(value)?.[1] ?? value;
  return normalizeEmail(address) !== undefined;
}, 'must be an address such as no-reply@loci.example or Loci <no-reply@loci.example>');

const environmentSchema = z.object({
  /** `development` (default), `production` (no demo data, no embedded secrets) or `test`. */
  LOCI_ENV: z.enum(['development', 'production', 'test']).default('development'),
  /** TCP port of the one HTTP server; 0 takes any free port. */
  PORT: wholeNumber(0, 65_535).default(4000),
  /** Address to listen on. Default: loopback, or every interface in production with an external database. */
  HOST: z.string().min(1).optional(),
  /** External PostgreSQL 15 or newer; without it an embedded PostgreSQL keeps its files in DATA_DIR. */
  DATABASE_URL: urlWith(['postgres:', 'postgresql:']).optional(),
  /** Connections of the main pool of one server process. */
  DATABASE_POOL_SIZE: wholeNumber(2, 200).default(10),
  /** Folder of the embedded database and its backups. */
  DATA_DIR: z.string().min(1).default('.data'),
  /** Address of an S3-compatible store for uploaded files; without it they are kept in DATA_DIR. */
  FILES_S3_ENDPOINT: urlWith(['http:', 'https:']).optional(),
  /** Bucket of the store; required with FILES_S3_ENDPOINT, as are both keys. */
  FILES_S3_BUCKET: z.string().min(1).optional(),
  FILES_S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  FILES_S3_REGION: z.string().min(1).default('auto'),
  /** Public origin of the app, used in links, cookies and OAuth metadata. Default: http://localhost:PORT. */
  APP_ORIGIN: origin.optional(),
  /** Public origin of the landing site when it differs from the app. */
  LANDING_ORIGIN: origin.optional(),
  /** Other web origins whose scripts may call the API with a bearer token, separated by commas. */
  CORS_ORIGINS: z
    .string()
    .transform((list) => list.split(',').map((each) => each.trim()))
    .pipe(z.array(origin))
    .default([]),
  /** Who may create an account: anyone, invited people only, or no one. */
  SIGNUP_MODE: z.enum(['open', 'invite', 'closed']).default('open'),
  /** E-mail addresses and domains, separated by commas, that may sign up without invitation when the mode is `invite`. */
  SIGNUP_ALLOW: allowList.default([]),
  /** SMTP server for mail, with user and password if it wants them; without it mail stays in the local outbox. */
  SMTP_URL: urlWith(['smtp:', 'smtps:']).optional(),
  /** Sender of mail, for example `Loci <no-reply@loci.example>`; required with SMTP_URL. */
  MAIL_FROM: mailFrom.optional(),
  /** Key pair (VAPID, RFC 8292) that names this server to push services, in base64url; without it one is made and stored. */
  VAPID_PUBLIC_KEY: vapidKey(65).optional(),
  VAPID_PRIVATE_KEY: vapidKey(32).optional(),
  /** Where the operator of a push service reaches the operator of this server: a mailto: or https: address. */
  VAPID_SUBJECT: urlWith(['mailto:', 'https:']).optional(),
  /** OAuth app at GitHub for signing in; both or neither. Its callback address is APP_ORIGIN/v1/auth/github/callback. */
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  /** Address of a GitHub Enterprise server and of its API. */
  GITHUB_URL: urlWith(['http:', 'https:']).default('https://github.com'),
  GITHUB_API_URL: urlWith(['http:', 'https:']).default('https://api.github.com'),
  /** OAuth client at Google for signing in; both or neither. Its callback address is APP_ORIGIN/v1/auth/google/callback. */
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  /** Issuer of another OpenID provider that takes Google's place. */
  GOOGLE_ISSUER: urlWith(['http:', 'https:']).default('https://accounts.google.com'),
  /** E-mail addresses, separated by commas, of those who run this server: they read and decide reports. */
  STAFF_EMAILS: emailList.default([]),
  /**
   * Which addresses this server fetches for its people: those of the `public` internet, of `private` networks too (then
   * every account can read what this server reaches), or `none`.
   */
  EGRESS: z.enum(['public', 'private', 'none']).default('public'),
  /** Who writes answers: a language model behind this kind of interface; without it answers quote passages alone. */
  ANSWERS_PROVIDER: z.enum(['openai-compatible', 'anthropic', 'google']).optional(),
  /** Base address of the interface, such as http://localhost:11434/v1; required for `openai-compatible`. */
  ANSWERS_URL: urlWith(['http:', 'https:']).optional(),
  /** Name of the model; required with ANSWERS_PROVIDER. */
  ANSWERS_MODEL: z.string().min(1).max(200).optional(),
  /** Key of the interface; required for `anthropic` and `google`. */
  ANSWERS_API_KEY: z.string().min(1).optional(),
  /** Answers that a language model writes for one workspace in a calendar month (UTC); without it there is no limit. */
  ANSWERS_PER_MONTH: wholeNumber(1, 10_000_000).optional(),
  /**
   * What keys that people give for other services are encrypted with; the same on every server of one database. With the
   * embedded database it is made and kept in DATA_DIR/secrets.key.
   */
  SECRETS_KEY: z.string().min(32, 'must have 32 characters or more').optional(),
  /** Which proxies may set X-Forwarded-*: false, loopback, a count, or addresses. */
  TRUST_PROXY: trustProxy.default(false),
  /** Least severe log line that is written. */
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  /** Bearer token for GET /metrics from beyond loopback; without it only loopback may read. */
  METRICS_TOKEN: z.string().min(16, 'must have 16 characters or more').optional(),
  /** Where pages come from: `built` files in dist, or `vite` with hot reload inside this process. */
  WEB_SOURCE: z.enum(['built', 'vite']).default('built'),
  /** Most open sockets of one server process; event streams of open pages count too. */
  MAX_SOCKETS: wholeNumber(10, 1_000_000).default(1_000),
  /** Most open sockets from one address; not for connections from this machine or from a trusted proxy. */
  MAX_SOCKETS_PER_ADDRESS: wholeNumber(1, 1_000_000).default(100),
  /** Megabytes that the search indexes of one server process may take; what has no room is searched in the database. */
  SEARCH_MEMORY_MB: wholeNumber(0, 1_000_000).default(384),
  /** Seconds between "not ready" and the last accepted connection on shutdown. Default 5 in production, else 0. */
  DRAIN_SECONDS: wholeNumber(0, 60).optional(),
});

/** Everything that may differ between two runs of the same code, after defaults and checks. */
export type Config = ReturnType<typeof parseConfig>;

/** Reads an environment; empty strings count as unset, unknown variables are ignored. @throws ConfigError */
export function parseConfig(env: Readonly<Record<string, string | undefined>>) {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = environmentSchema.safeParse(present);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path[0]?.toString() ?? ''}: ${issue.message}`),
    );
  }
  const values = parsed.data;
  if (values.SMTP_URL !== undefined && values.MAIL_FROM === undefined) {
    throw new ConfigError(['MAIL_FROM: must be set with SMTP_URL']);
  }
  const s3 = s3Of(values);
  const answers = answersOf(values);
  if ((values.VAPID_PUBLIC_KEY === undefined) !== (values.VAPID_PRIVATE_KEY === undefined)) {
    throw new ConfigError(['VAPID_PUBLIC_KEY: must be set together with VAPID_PRIVATE_KEY']);
  }
  for (const name of ['APP_ORIGIN', 'LANDING_ORIGIN'] as const) {
    if (values.LOCI_ENV === 'production' && isPlainRemote(values[name])) {
      throw new ConfigError([
        `${name}: must begin with https:// in production, because passwords and sessions would travel unencrypted`,
      ]);
    }
  }
  for (const name of ['GITHUB', 'GOOGLE'] as const) {
    if ((values[`${name}_CLIENT_ID`] === undefined) !== (values[`${name}_CLIENT_SECRET`] === undefined)) {
      throw new ConfigError([`${name}_CLIENT_ID and ${name}_CLIENT_SECRET: set both or neither`]);
    }
  }
  for (const name of ['GITHUB_URL', 'GITHUB_API_URL', 'GOOGLE_ISSUER'] as const) {
    if (values.LOCI_ENV === 'production' && isPlainRemote(values[name])) {
      throw new ConfigError([
        `${name}: must begin with https:// in production, because it vouches for people who log in`,
      ]);
    }
  }
  const embedded = values.DATABASE_URL === undefined;
  const production = values.LOCI_ENV === 'production';
  return {
    env: values.LOCI_ENV,
    port: values.PORT,
    host: values.HOST ?? (production && !embedded ? '0.0.0.0' : '127.0.0.1'),
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    dataDir: path.resolve(values.DATA_DIR),
    s3,
    appOrigin: values.APP_ORIGIN ?? `http://localhost:${values.PORT}`,
    appOriginIsDefault: values.APP_ORIGIN === undefined,
    landingOrigin: values.LANDING_ORIGIN,
    corsOrigins: values.CORS_ORIGINS,
    signupMode: values.SIGNUP_MODE,
    signupAllow: values.SIGNUP_ALLOW,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM,
    vapidPublicKey: values.VAPID_PUBLIC_KEY,
    vapidPrivateKey: values.VAPID_PRIVATE_KEY,
    vapidSubject: values.VAPID_SUBJECT,
    github: credentialsOf(values.GITHUB_CLIENT_ID, values.GITHUB_CLIENT_SECRET, {
      url: values.GITHUB_URL,
      apiUrl: values.GITHUB_API_URL,
    }),
    google: credentialsOf(values.GOOGLE_CLIENT_ID, values.GOOGLE_CLIENT_SECRET, {
      issuer: values.GOOGLE_ISSUER,
    }),
    staffEmails: values.STAFF_EMAILS,
    egress: values.EGRESS,
    answers,
    secretsKey: values.SECRETS_KEY,
    answersPerMonth: values.ANSWERS_PER_MONTH,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    webSource: values.WEB_SOURCE,
    maxSockets: values.MAX_SOCKETS,
    maxSocketsPerAddress: values.MAX_SOCKETS_PER_ADDRESS,
    searchMemoryMb: values.SEARCH_MEMORY_MB,
    drainSeconds: values.DRAIN_SECONDS ?? (production ? 5 : 0),
  };
}

/** The store for files, when there is one. @throws ConfigError when only a part of it is configured */
function s3Of(values: z.output<typeof environmentSchema>) {
  const given = {
    endpoint: values.FILES_S3_ENDPOINT,
    bucket: values.FILES_S3_BUCKET,
    accessKeyId: values.FILES_S3_ACCESS_KEY_ID,
    secretAccessKey: values.FILES_S3_SECRET_ACCESS_KEY,
  };
  const { endpoint, bucket, accessKeyId, secretAccessKey } = given;
  if (Object.values(given).every((value) => value === undefined)) return undefined;
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    return { endpoint, bucket, accessKeyId, secretAccessKey, region: values.FILES_S3_REGION };
  }
  throw new ConfigError([
    'FILES_S3_ENDPOINT: must be set together with FILES_S3_BUCKET, FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY',
  ]);
}

/** The language model that writes answers, when there is one. @throws ConfigError when a part of it is missing or unsafe */
function answersOf(values: z.output<typeof environmentSchema>) {
  const { ANSWERS_PROVIDER: provider, ANSWERS_MODEL: model, ANSWERS_API_KEY: apiKey } = values;
  const given = { ANSWERS_URL: values.ANSWERS_URL, ANSWERS_MODEL: model, ANSWERS_API_KEY: apiKey };
  if (provider === undefined) {
    const alone = Object.entries(given).find(([, value]) => value !== undefined);
    if (alone !== undefined)
      throw new ConfigError([`${alone[0]}: must be set together with ANSWERS_PROVIDER`]);
    return undefined;
  }
  if (model === undefined) throw new ConfigError(['ANSWERS_MODEL: must be set with ANSWERS_PROVIDER']);
  const url = values.ANSWERS_URL ?? ANSWER_SERVICES[provider];
  if (url === undefined) throw new ConfigError(['ANSWERS_URL: must be set for openai-compatible']);
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new ConfigError(['ANSWERS_URL: must not hold a user or a password; set ANSWERS_API_KEY']);
  if (apiKey === undefined && provider !== 'openai-compatible')
    throw new ConfigError([`ANSWERS_API_KEY: must be set for ${provider}`]);
  if (values.LOCI_ENV === 'production' && apiKey !== undefined && isPlainRemote(url)) {
    throw new ConfigError([
      'ANSWERS_URL: must begin with https:// in production, because the key would travel unencrypted',
    ]);
  }
  return { provider, url, model, apiKey };
}

/** Where the services of one maker are. */
export const ANSWER_SERVICES = {
  'openai-compatible': undefined,
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta',
} as const;

/** The settings of an identity provider; undefined when it is not set up. */
function credentialsOf<T extends object>(
  clientId: string | undefined,
  clientSecret: string | undefined,
  addresses: T,
): (T & { clientId: string; clientSecret: string }) | undefined {
  if (clientId === undefined || clientSecret === undefined) return undefined;
  return { ...addresses, clientId, clientSecret };
}

/** An http origin beyond this machine. */
function isPlainRemote(origin: string | undefined): boolean {
  if (origin === undefined) return false;
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** The configuration of this process. @throws ConfigError */
export function readConfig(): Config {
  return parseConfig(process.env);
}

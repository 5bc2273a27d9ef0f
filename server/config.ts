/**
 * The reader of the environment: every variable with its meaning, parsed once. Only limits.ts reads one by itself. It depends
 * on nothing else of the server; `parseConfig` is pure, so a test can pass any environment.
 */
import path from 'node:path';
import { z } from 'zod';
import { EMBEDDINGS } from '#shared/search/embedding-limits.ts';
import {
  origin,
  urlWith,
  wholeNumber,
  factor,
  trustProxy,
  vapidKey,
  emailList,
  allowList,
  mailFrom,
  mailDomain,
} from './config-fields.ts';

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

const environmentSchema = z.object({
  /** `development` (default), `production` (no demo data, no embedded secrets) or `test`. */
  LOCI_ENV: z.enum(['development', 'production', 'test']).default('development'),
  /** TCP port of the one HTTP server; 0 chooses a free port. */
  PORT: wholeNumber(0, 65_535).default(4000),
  /** Address to listen on. Default: loopback, or every interface in production with an external database. */
  HOST: z.string().min(1).optional(),
  /** External PostgreSQL 15 or newer; without it an embedded PostgreSQL stores its files in DATA_DIR. */
  DATABASE_URL: urlWith(['postgres:', 'postgresql:']).optional(),
  /** Connections of the main pool of one server process. */
  DATABASE_READ_URL: urlWith(['postgres:', 'postgresql:']).optional(),
  DATABASE_POOL_SIZE: wholeNumber(2, 200).default(10),
  /**
   * NATS server over which the servers of one database announce commits to each other, with user and password, or a token as
   * user; without it they use PostgreSQL's NOTIFY. `tls:` refuses a server without encryption.
   */
  POKE_URL: urlWith(['nats:', 'tls:']).optional(),
  /** Folder of the embedded database and its backups. */
  DATA_DIR: z.string().min(1).default('.data'),
  /** Address of an S3-compatible store for uploaded files; without it they are stored in DATA_DIR. */
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
  /** Port for SMTP mail to people's secret addresses; without it no mail is received. 0 chooses a free one. */
  INBOUND_MAIL_PORT: wholeNumber(0, 65_535).optional(),
  /** Domain of these addresses; required with INBOUND_MAIL_PORT. Any server of one database may listen. */
  INBOUND_MAIL_DOMAIN: mailDomain.optional(),
  /** Address to listen on for mails. */
  INBOUND_MAIL_HOST: z.string().min(1).default('127.0.0.1'),
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
  /** Issuer of another OpenID provider that replaces Google. */
  GOOGLE_ISSUER: urlWith(['http:', 'https:']).default('https://accounts.google.com'),
  /** E-mail addresses, separated by commas, of those who run this server: they read and decide reports. */
  STAFF_EMAILS: emailList.default([]),
  /** Where people reach those who run this server, for example to appeal a decision. */
  CONTACT_EMAIL: z.email().optional(),
  /**
   * Which addresses this server fetches for its people: those of the `public` internet, of `private` networks too (then
   * every account can read what this server reaches), or `none`.
   */
  EGRESS: z.enum(['public', 'private', 'none']).default('public'),
  /** Interface of the language model that writes answers; without it answers only quote passages. */
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
   * Base address of an OpenAI-compatible interface, such as http://localhost:11434/v1, that turns texts into vectors, so that
   * search finds by meaning too; without it search uses only words.
   */
  EMBEDDINGS_URL: urlWith(['http:', 'https:']).optional(),
  /** Name of the embedding model; required with EMBEDDINGS_URL. */
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
  /** Key of the interface, if it wants one. */
  EMBEDDINGS_API_KEY: z.string().min(1).optional(),
  /** Dimensions of a vector, for models that can return fewer than their own. */
  EMBEDDINGS_DIMENSIONS: wholeNumber(1, EMBEDDINGS.dimensionsMax).optional(),
  /** Least cosine similarity, in hundredths, of what search finds by meaning alone. Models differ in what is close. */
  EMBEDDINGS_MIN_SIMILARITY: wholeNumber(0, 100).default(30),
  /**
   * Program that reads the text of pictures, with the command line of Tesseract: a name or a path. Without it `tesseract` is
   * used if found; `none` turns it off.
   */
  OCR_COMMAND: z.string().min(1).optional(),
  /** Languages of these texts, in the codes of Tesseract, with + between them. */
  OCR_LANGUAGES: z
    .string()
    .regex(/^[A-Za-z]\w*(\+[A-Za-z]\w*)*$/, 'must be codes of Tesseract such as eng or eng+deu')
    .default('eng'),
  /** Where programs are found. */
  PATH: z.string().default('/usr/local/bin:/usr/bin:/bin'),
  /**
   * Key that encrypts the keys of other services that people enter; the same on every server of one database. With the embedded
   * database it is generated and stored in DATA_DIR/secrets.key.
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
  /** Megabytes that the search indexes of one server process may use; memories beyond it are searched in the database. */
  SEARCH_MEMORY_MB: wholeNumber(0, 1_000_000).default(384),
  /** Factor of every timeout: more than 1 on a slow or busy machine. limits.ts reads it; this validates it. */
  LOCI_PATIENCE: factor(0.1, 100).default(1),
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
  const inboundMail = inboundMailOf(values);
  const s3 = s3Of(values);
  const answers = answersOf(values);
  const embeddings = embeddingsOf(values);
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
    databaseReadUrl: values.DATABASE_READ_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    pokeServer: pokeServerOf(values),
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
    inboundMail,
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
    contactEmail: values.CONTACT_EMAIL,
    egress: values.EGRESS,
    answers,
    embeddings,
    ocr: { command: values.OCR_COMMAND, languages: values.OCR_LANGUAGES, programPath: values.PATH },
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

/** A NATS server, with either a user and password, or a token, or neither. */
export interface PokeServer {
  /** Name or address; IPv6 in brackets. */
  host: string;
  port: number;
  isTls: boolean;
  user?: string;
  pass?: string;
  token?: string;
}

const NATS_PORT = 4222;

/** The server of POKE_URL, taken apart so that no log line can show its credentials. @throws ConfigError */
function pokeServerOf({ POKE_URL }: z.output<typeof environmentSchema>): PokeServer | undefined {
  if (POKE_URL === undefined) return undefined;
  const { protocol, hostname: host, port, username, password, pathname, search, hash } = new URL(POKE_URL);
  if (host === '' || !['', '/'].includes(pathname) || search !== '' || hash !== '')
    throw new ConfigError(['POKE_URL: must have a host, and neither a path nor parameters']);
  const server = { host, port: port === '' ? NATS_PORT : Number(port), isTls: protocol === 'tls:' };
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
    if (user === '' && pass === '') return server;
    return pass === '' ? { ...server, token: user } : { ...server, user, pass };
  } catch {
    throw new ConfigError(['POKE_URL: the user or the password has a % that encodes no character']);
  }
}

/** Where mails come in, when they do. @throws ConfigError for a port without a domain */
function inboundMailOf(values: z.output<typeof environmentSchema>) {
  const { INBOUND_MAIL_DOMAIN: domain, INBOUND_MAIL_PORT: port, INBOUND_MAIL_HOST: host } = values;
  if (domain === undefined) {
    if (port === undefined) return undefined;
    throw new ConfigError(['INBOUND_MAIL_DOMAIN: must be set with INBOUND_MAIL_PORT']);
  }
  return { domain, port, host };
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
  if (apiKey === undefined && provider !== 'openai-compatible')
    throw new ConfigError([`ANSWERS_API_KEY: must be set for ${provider}`]);
  requireSafeService('ANSWERS', values.LOCI_ENV, { url, apiKey });
  return { provider, url, model, apiKey };
}

/** The model that turns texts into vectors, when there is one. @throws ConfigError when a part of it is missing or unsafe */
function embeddingsOf(values: z.output<typeof environmentSchema>) {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey } = values;
  const dimensions = values.EMBEDDINGS_DIMENSIONS;
  if (url === undefined) {
    const given = { EMBEDDINGS_MODEL: model, EMBEDDINGS_API_KEY: apiKey, EMBEDDINGS_DIMENSIONS: dimensions };
    const alone = Object.entries(given).find(([, value]) => value !== undefined);
    if (alone !== undefined) throw new ConfigError([`${alone[0]}: must be set together with EMBEDDINGS_URL`]);
    return undefined;
  }
  if (model === undefined) throw new ConfigError(['EMBEDDINGS_MODEL: must be set with EMBEDDINGS_URL']);
  requireSafeService('EMBEDDINGS', values.LOCI_ENV, { url, apiKey });
  return { url, model, apiKey, dimensions, minSimilarity: values.EMBEDDINGS_MIN_SIMILARITY / 100 };
}

/** @throws ConfigError for an address with a password, or one to which the key would be sent unencrypted */
function requireSafeService(
  name: 'ANSWERS' | 'EMBEDDINGS',
  env: string,
  { url, apiKey }: { url: string; apiKey: string | undefined },
): void {
  const { username, password } = new URL(url);
  if (username !== '' || password !== '')
    throw new ConfigError([`${name}_URL: must not hold a user or a password; set ${name}_API_KEY`]);
  if (env === 'production' && apiKey !== undefined && isPlainRemote(url)) {
    throw new ConfigError([
      `${name}_URL: must begin with https:// in production, because the key would travel unencrypted`,
    ]);
  }
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

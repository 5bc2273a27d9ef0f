/**
 * The only reader of the environment: every variable with its meaning, parsed once.
 * It knows nothing else of the server; `parseConfig` is pure, so a test can give it any environment.
 */
import path from 'node:path';
import { z } from 'zod';

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

const emailList = z
  .string()
  .transform((value) => value.split(',').map((email) => email.trim().toLowerCase()))
  .refine((emails) => emails.every((email) => z.email().safeParse(email).success), {
    error: 'must be e-mail addresses separated by commas',
  });

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
  /** Public origin of the app, used in links, cookies and OAuth metadata. Default: http://localhost:PORT. */
  APP_ORIGIN: origin.optional(),
  /** Public origin of the landing site when it differs from the app. */
  LANDING_ORIGIN: origin.optional(),
  /** Who may create an account: anyone, invited people, or nobody. */
  SIGNUP_MODE: z.enum(['open', 'invite', 'closed']).default('open'),
  /** E-mail addresses, separated by commas, of those who run this server: they read and decide reports. */
  STAFF_EMAILS: emailList.default([]),
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
  const embedded = values.DATABASE_URL === undefined;
  const production = values.LOCI_ENV === 'production';
  return {
    env: values.LOCI_ENV,
    port: values.PORT,
    host: values.HOST ?? (production && !embedded ? '0.0.0.0' : '127.0.0.1'),
    databaseUrl: values.DATABASE_URL,
    databasePoolSize: values.DATABASE_POOL_SIZE,
    dataDir: path.resolve(values.DATA_DIR),
    appOrigin: values.APP_ORIGIN ?? `http://localhost:${values.PORT}`,
    appOriginIsDefault: values.APP_ORIGIN === undefined,
    landingOrigin: values.LANDING_ORIGIN,
    signupMode: values.SIGNUP_MODE,
    staffEmails: values.STAFF_EMAILS,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    webSource: values.WEB_SOURCE,
    maxSockets: values.MAX_SOCKETS,
    drainSeconds: values.DRAIN_SECONDS ?? (production ? 5 : 0),
  };
}

/** The configuration of this process. @throws ConfigError */
export function readConfig(): Config {
  return parseConfig(process.env);
}

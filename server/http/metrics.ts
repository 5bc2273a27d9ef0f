/**
 * GET /metrics in the text format of Prometheus: how much traffic, how fast, and what the process uses.
 * It counts by method and status class only, so that no path, name or search word becomes a label.
 */
import { timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Measures requests and answers what was measured. */
export interface Metrics {
  measure: RequestHandler;
  answer: RequestHandler;
}

interface Series {
  buckets: number[];
  sum: number;
  count: number;
}

/** Counts from zero in this process. */
export function createMetrics(context: Context): Metrics {
  const requests = new Map<string, Series>();
  const measure: RequestHandler = (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      const labels = `method="${req.method}",status="${Math.floor(res.statusCode / 100)}xx"`;
      const series = requests.get(labels) ?? { buckets: BUCKETS_SECONDS.map(() => 0), sum: 0, count: 0 };
      requests.set(labels, record(series, (performance.now() - start) / 1000));
    });
    next();
  };
  const answer: RequestHandler = (req, res) => {
    if (!mayRead(req, context.config.metricsToken))
      throw new AppError('forbidden', 'Metrics need METRICS_TOKEN');
    res
      .type('text/plain; version=0.0.4')
      .send([...processLines(context), ...requestLines(requests), ''].join('\n'));
  };
  return { measure, answer };
}

function record(series: Series, seconds: number): Series {
  return {
    buckets: series.buckets.map((count, index) => count + (seconds <= (BUCKETS_SECONDS[index] ?? 0) ? 1 : 0)),
    sum: series.sum + seconds,
    count: series.count + 1,
  };
}

/**
 * With a token set, only the token opens. Without one, a direct connection from this machine does; a forwarded
 * request only looks as if it came from here.
 */
function mayRead(req: Request, token: string | undefined): boolean {
  if (token !== undefined) {
    const given = Buffer.from(req.get('authorization') ?? '');
    const wanted = Buffer.from(`Bearer ${token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
  const address = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const isLoopback = isIP(address) === 4 ? address.startsWith('127.') : address === '::1';
  return isLoopback && req.get('x-forwarded-for') === undefined && req.get('forwarded') === undefined;
}

function processLines({ pool }: Context): string[] {
  const memory = process.memoryUsage();
  const gauges: [string, string, number][] = [
    ['process_uptime_seconds', 'Seconds since the process started.', process.uptime()],
    ['process_resident_memory_bytes', 'Memory the process holds.', memory.rss],
    ['nodejs_heap_used_bytes', 'JavaScript heap in use.', memory.heapUsed],
    ['loci_database_connections', 'Open connections of the main pool.', pool.totalCount],
    ['loci_database_connections_idle', 'Connections of the main pool that nobody uses.', pool.idleCount],
    ['loci_database_waiting', 'Requests that wait for a connection.', pool.waitingCount],
  ];
  return gauges.flatMap(([name, help, value]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    `${name} ${value}`,
  ]);
}

function requestLines(requests: ReadonlyMap<string, Series>): string[] {
  const name = 'http_request_duration_seconds';
  const lines = [`# HELP ${name} Time from request to the end of its answer.`, `# TYPE ${name} histogram`];
  for (const [labels, { buckets, sum, count }] of requests) {
    buckets.forEach((value, index) =>
      lines.push(`${name}_bucket{${labels},le="${BUCKETS_SECONDS[index]}"} ${value}`),
    );
    lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`, `${name}_sum{${labels}} ${sum}`);
    lines.push(`${name}_count{${labels}} ${count}`);
  }
  return lines;
}

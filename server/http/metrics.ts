/**
 * GET /metrics in the text format of Prometheus: how much traffic, how fast, and what the process uses, with what others
 * have declared in the registry of the context. Requests are counted by method and status class only, so that no path,
 * name or search word becomes a label.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { Gauge, Histogram } from 'prom-client';
import { AppError } from '#shared/errors.ts';
import type { Context } from '../context.ts';
import { isFromThisMachine } from './caller-address.ts';

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  measure: RequestHandler;
  answer: RequestHandler;
}

/** Counts from zero in this process. */
export function createMetrics(context: Pick<Context, 'config' | 'pool' | 'registry'>): Metrics {
  const { config, registry } = context;
  declareGauges(context);
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to the end of its answer.',
    labelNames: ['method', 'status'],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
  const measure: RequestHandler = (req, res, next) => {
    const start = performance.now();
    res.once('close', () => {
      const status = `${Math.floor(res.statusCode / 100)}xx`;
      seconds.observe({ method: req.method, status }, (performance.now() - start) / 1000);
    });
    next();
  };
  const answer: RequestHandler = async (req, res) => {
    if (!mayRead(req, config.metricsToken)) throw new AppError('forbidden', 'Metrics need METRICS_TOKEN');
    res.type(registry.contentType).send(await registry.metrics());
  };
  return { measure, answer };
}

/**
 * If a token is set, it is required. Without one, a direct connection from this machine is sufficient; a forwarded request only
 * looks as if it came from here.
 */
function mayRead(req: Request, token: string | undefined): boolean {
  if (token !== undefined) {
    const given = Buffer.from(req.get('authorization') ?? '');
    const wanted = Buffer.from(`Bearer ${token}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }
  return isFromThisMachine(req);
}

/** Read when metrics are requested. */
function declareGauges({ pool, registry }: Pick<Context, 'pool' | 'registry'>): void {
  const gauges: [name: string, help: string, read: () => number][] = [
    ['process_uptime_seconds', 'Seconds since the process started.', () => process.uptime()],
    ['process_resident_memory_bytes', 'Memory the process holds.', () => process.memoryUsage.rss()],
    ['nodejs_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed],
    ['loci_database_connections', 'Open connections of the main pool.', () => pool.totalCount],
    ['loci_database_connections_idle', 'Connections of the main pool that are idle.', () => pool.idleCount],
    ['loci_database_waiting', 'Requests that wait for a connection.', () => pool.waitingCount],
  ];
  for (const [name, help, read] of gauges) {
    const gauge = new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(read());
      },
    });
    registry.registerMetric(gauge);
  }
}

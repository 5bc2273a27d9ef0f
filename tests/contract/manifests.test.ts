/** The manifests of the docs for hosts: each is YAML, and sets only what the server reads, to values that it accepts. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { parseConfig } from '#server/config.ts';

const read = (name: string) =>
  readFileSync(path.resolve(import.meta.dirname, '../../content/docs', name), 'utf8');

const manifests = [...read('containers.md').matchAll(/^```yaml\n(.*?)^```$/gmsu)].flatMap(([, text = '']) =>
  parseAllDocuments(text).map((document) => {
    if (document.errors.length > 0) throw new AggregateError(document.errors, text);
    const value: unknown = document.toJS();
    return value;
  }),
);

const texts = z.record(z.string(), z.string());
const compose = z.object({ services: z.object({ loci: z.object({ environment: texts }) }) });
const secret = z.object({ kind: z.literal('Secret'), stringData: texts });
const container = z.object({ env: z.array(z.object({ name: z.string(), value: z.string() })) });
const deployment = z.object({
  kind: z.literal('Deployment'),
  spec: z.object({ template: z.object({ spec: z.object({ containers: z.tuple([container]) }) }) }),
});

/** The one manifest of this form. */
function one<T>(form: z.ZodType<T>): T {
  const found = manifests.flatMap((manifest) => form.safeParse(manifest).data ?? []);
  const [first] = found;
  if (first === undefined || found.length > 1) throw new Error(`${found.length} manifests of one form`);
  return first;
}

const inKubernetes = () => ({
  ...one(secret).stringData,
  ...Object.fromEntries(
    one(deployment).spec.template.spec.containers[0].env.map(({ name, value }) => [name, value]),
  ),
});

it.each([
  ['compose', () => one(compose).services.loci.environment],
  ['Kubernetes', inKubernetes],
])('the manifest for %s configures the server', (_what, settings) => {
  const given = settings();
  const documented = read('configuration.md');
  expect(Object.keys(given).filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  const config = parseConfig({ LOCI_ENV: 'production', HOST: '0.0.0.0', DATA_DIR: '/data', ...given });
  expect(config).toMatchObject({ databaseUrl: given['DATABASE_URL'], appOrigin: given['APP_ORIGIN'] });
});

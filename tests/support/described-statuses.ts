/** Holds the status of every answer that a test receives to the OpenAPI document: what a call sends stands there. */
import { apiDescription } from '#shared/openapi/api-description.ts';

interface DescribedPath {
  form: RegExp;
  parameters: number;
  /** Statuses of the calls at this path, by method. */
  statuses: ReadonlyMap<string, ReadonlySet<string>>;
}

function describedPaths(): DescribedPath[] {
  const { paths } = Object(apiDescription('https://loci.example'));
  const found = Object.entries(paths).map(([path, operations]) => ({
    form: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    parameters: path.split('{').length,
    statuses: new Map(
      Object.entries(Object(operations)).map(([method, operation]) => [
        method.toUpperCase(),
        new Set(Object.keys(Object(operation).responses)),
      ]),
    ),
  }));
  // `/v1/workspaces/deleted` is not the workspace `deleted`.
  return found.sort((a, b) => a.parameters - b.parameters);
}

let known: DescribedPath[] | undefined;

/** @throws Error when the document has the call and not the status; other calls are none of its matter */
export function requireDescribed(method: string, path: string, status: number): void {
  known ??= describedPaths();
  const [plain = path] = path.split('?');
  const statuses = known.find(({ form }) => form.test(plain))?.statuses.get(method);
  if (statuses !== undefined && !statuses.has(String(status)))
    throw new Error(`${method} ${plain} sent ${status}, which the OpenAPI document does not have`);
}

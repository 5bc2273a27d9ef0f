/** Holds the status of every answer that a test receives to the OpenAPI document: what a call sends stands there. */
import { apiDescription } from '#shared/openapi/api-description.ts';

interface Described {
  method: string;
  /** Of the paths of its calls. */
  form: RegExp;
  parameters: number;
  statuses: ReadonlySet<string>;
}

function describedCalls(): Described[] {
  const { paths } = Object(apiDescription('https://loci.example'));
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(Object(operations)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      form: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      parameters: path.split('{').length,
      statuses: new Set(Object.keys(Object(operation).responses)),
    })),
  );
  // `/v1/workspaces/deleted` is not the workspace `deleted`.
  return calls.sort((a, b) => a.parameters - b.parameters);
}

let known: Described[] | undefined;

/** @throws Error when the document has the call and not the status; paths that it does not have are none of its matter */
export function requireDescribed(method: string, path: string, status: number): void {
  known ??= describedCalls();
  const [plain = path] = path.split('?');
  const call = known.find((each) => each.method === method && each.form.test(plain));
  if (call !== undefined && !call.statuses.has(String(status)))
    throw new Error(`${method} ${plain} sent ${status}, which the OpenAPI document does not have`);
}

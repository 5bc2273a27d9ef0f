// Paths of calls in the form of OpenAPI, for example `/v1/memories/{workspaceId}/{id}`.

/** The path with its parameters filled in and encoded. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

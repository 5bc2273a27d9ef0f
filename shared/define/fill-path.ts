// Paths of calls in the form of OpenAPI, for example `/v1/memories/{workspaceId}/{id}`.

export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

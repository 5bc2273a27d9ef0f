/** Whether a value of unknown origin has fields; those of an array are its places. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

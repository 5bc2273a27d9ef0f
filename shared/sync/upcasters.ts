// Rewrites mutations from replicas with an older schema into the current one. An app that was offline for weeks pushes
// under its old schema; its mutations are rewritten here, one schema version at a time, and then parsed like any other.
// The server does this for pushes under an old schema, the client for the journals of older versions.

export interface RawMutation {
  name: string;
  args: unknown;
}

/** A mutation of one schema as the next schema writes it; throwing refuses it as invalid. */
type Upcaster = (args: unknown) => RawMutation;

/** Replaced schema → its changes in the next one, by the name of the mutation. */
export interface SchemaSteps {
  /** Schemas from the oldest to the current one. */
  order: readonly string[];
  changed: Readonly<Record<string, Readonly<Record<string, Upcaster>>>>;
}

/** The steps of this product; the first schema has not been replaced yet. */
export const SCHEMA_STEPS: SchemaSteps = { order: ['1'], changed: {} };

/** The mutation as the current schema writes it; one of an unknown schema stays as it is. */
export function upcast(
  schemaVersion: string,
  mutation: RawMutation,
  steps: SchemaSteps = SCHEMA_STEPS,
): RawMutation {
  const from = steps.order.indexOf(schemaVersion);
  if (from < 0) return mutation;
  let current = mutation;
  for (const schema of steps.order.slice(from)) {
    const changed = steps.changed[schema] ?? {};
    if (Object.hasOwn(changed, current.name)) current = changed[current.name]?.(current.args) ?? current;
  }
  return current;
}

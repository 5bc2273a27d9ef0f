// How an entity is declared: its row, which fields a client may send on create and on update, what they are when they
// are not sent, and which a list may be filtered by. Everything else about an entity (types, arguments of mutators,
// request schemas, table types) derives from this.
import { z } from 'zod';

type Shape = z.core.$ZodLooseShape & Record<string, z.ZodType>;
type Keys<S extends Shape> = readonly (keyof S & string)[];

/** The schemas of some fields; those with a default may be left out. */
type Given<S extends Shape, P extends keyof S, D extends keyof S> = {
  [F in P]: F extends D ? z.ZodDefault<S[F]> : S[F];
};

export interface EntityConfig<
  S extends Shape,
  C extends Keys<S>,
  U extends Keys<S>,
  F extends Keys<S>,
  D extends keyof S & string,
> {
  /** Every column with its schema; the column has the same name. */
  fields: S;
  /** Fields a client may send on create; all others are set by the server. */
  create: C;
  /** Fields a client may change later; PUT requires all of them, PATCH accepts any. */
  update: U;
  /** Values of fields that are not sent, and of those that a row on a device lacks because it is older than the field. */
  defaults: { readonly [P in D]: z.output<S[P]> };
  /** Fields usable as equality filter of a list. */
  filters: F;
  /** Fields usable as orderBy beside `created`. */
  orderBy?: Keys<S>;
}

/** Declares an entity; see the files named after the kinds. */
export function defineEntity<
  K extends string,
  S extends Shape,
  const C extends Keys<S>,
  const U extends Keys<S>,
  const F extends Keys<S>,
  D extends keyof S & string,
>(kind: K, config: EntityConfig<S, C, U, F, D>) {
  const { fields, defaults, create, update } = config;
  const schemas = (keys: Keys<S>, schemaOf: (key: keyof S & string) => z.ZodType) =>
    Object.fromEntries(keys.map((key) => [key, schemaOf(key)]));
  const values: Readonly<Record<string, unknown>> = defaults;
  const orDefault = (key: keyof S & string) =>
    key in values ? fields[key].default(values[key]) : fields[key];
  return {
    kind,
    row: z.object(fields),
    defaults,
    createArgs: z.object(schemas(create, orDefault) as Given<S, C[number], D>),
    replaceArgs: z.object(schemas(update, orDefault) as Given<S, U[number], D>),
    patchArgs: z.object(schemas(update, (key) => fields[key]) as Pick<S, U[number]>).partial(),
    filters: config.filters,
    orderBy: config.orderBy ?? (['created'] as Keys<S>),
  };
}

export type RowOf<E extends { row: z.ZodType }> = z.output<E['row']>;

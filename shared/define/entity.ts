// How an entity is declared: its row, which fields a client may send on create and on update, and which a list
// may be filtered by. Everything else about an entity (types, request schemas, table types) derives from this.
import { z } from 'zod';

type Shape = z.core.$ZodLooseShape & Record<string, z.ZodType>;
type Keys<S extends Shape> = readonly (keyof S & string)[];

export interface EntityConfig<S extends Shape, C extends Keys<S>, U extends Keys<S>, F extends Keys<S>> {
  /** Every column with its schema; the column has the same name. */
  fields: S;
  /** Fields a client may send on create; all others are set by the server. */
  create: C;
  /** Fields a client may change later; PUT takes all of them, PATCH any. */
  update: U;
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
>(kind: K, config: EntityConfig<S, C, U, F>) {
  const row = z.object(config.fields);
  const pick = <P extends Keys<S>>(keys: P) =>
    z.object(Object.fromEntries(keys.map((key) => [key, config.fields[key]])) as Pick<S, P[number]>);
  return {
    kind,
    row,
    createArgs: pick(config.create),
    updateArgs: pick(config.update),
    patchArgs: pick(config.update).partial(),
    filters: config.filters,
    orderBy: config.orderBy ?? (['created'] as Keys<S>),
  };
}

/** The stored row of an entity declaration. */
export type RowOf<E extends { row: z.ZodType }> = z.output<E['row']>;

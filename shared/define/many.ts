// Makes a mutation of many rows out of the mutation of one, so that its rules are written once.
import { z } from 'zod';
import { MANY_MAX } from '../constants.ts';
import { AppError } from '../errors.ts';
import { runGathered, type Refusals } from './gathered-tx.ts';
import type { MutatorConfig } from './mutator.ts';

type ManyShape<S extends z.ZodRawShape, F extends keyof S & string> = Omit<S, F> & {
  [P in F as `${P}s`]: z.ZodPipe<z.ZodArray<S[F]>, z.ZodTransform<z.output<S[F]>[], z.output<S[F]>[]>>;
};

/** One reason for all: the first, and of how many ids it is the reason. */
function summaryOf(refusals: Refusals<string>, total: number): AppError | undefined {
  const [first] = refusals;
  if (first === undefined) return undefined;
  const [, { code, detail }] = first;
  if (total === 1) return new AppError(code, detail);
  return new AppError(code, `${refusals.length} of ${total} could not be changed: ${detail}`);
}

/**
 * The mutation `single` for up to MANY_MAX ids: `field` becomes a list under its plural. Each id is judged alone by the
 * rules of `single`; the refused ones are reported and the others are applied. When all are refused, it throws.
 */
export function manyOf<S extends z.ZodRawShape, F extends keyof S & string>(
  single: MutatorConfig<z.ZodObject<S>>,
  field: F,
): MutatorConfig<z.ZodObject<ManyShape<S, F>>> {
  const list = `${field}s`;
  const { [field]: _, ...others } = single.args.shape;
  const idSchema: S[F] = single.args.shape[field];
  const ids = z
    .array(idSchema)
    .min(1, 'At least one')
    .max(MANY_MAX, `At most ${MANY_MAX}`)
    .transform((given) => [...new Set(given)]);
  // A computed name has no type of its own.
  const args = z.object({ ...others, [list]: ids }) as unknown as z.ZodObject<ManyShape<S, F>>;
  return {
    realm: single.realm,
    args,
    async run(tx, given, context) {
      // The schema above has parsed them; only their names are computed.
      const { [list]: parsed, ...shared } = given as Record<string, unknown>;
      const all = parsed as string[];
      const refusals = await runGathered(tx, all, (part, id) =>
        single.run(part, { ...shared, [field]: id } as z.output<z.ZodObject<S>>, context),
      );
      const error = summaryOf(refusals, all.length);
      if (error === undefined) return undefined;
      if (refusals.length === all.length) throw error;
      return { args: { ...shared, [list]: refusals.map(([id]) => id) }, error };
    },
  };
}

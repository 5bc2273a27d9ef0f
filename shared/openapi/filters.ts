/** Filters of list calls in the OpenAPI document: their descriptions, and the pattern that every value must match. */
import { z } from 'zod';
import { filteredField } from '../define/list-query.ts';
import { toSchema } from './json-schema.ts';

type Json = Record<string, unknown>;

const MOMENT = String.raw`\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?`;
/** Either end may be left out, but not both. */
const RANGE = String.raw`${MOMENT}(?:\.\.(?:${MOMENT})?)?|\.\.${MOMENT}`;

/** JSON Schema of a filter beside its type; empty for parameters that are no filters. */
export function describeFilter(parameter: z.ZodType): Json {
  const field = filteredField(parameter);
  if (!field) return {};
  const { kind, schema, nullable } = field;
  if (kind === 'datetime')
    return {
      description: 'A time or a day, or a range: `from..to`, `from..` or `..to`.',
      pattern: `^(?:${nullable ? `${RANGE}|null` : RANGE})$`,
    };
  if (kind === 'object') {
    const object = { contentMediaType: 'application/json', contentSchema: { type: 'object' } };
    return { description: 'An object with fields that the value has.', ...object };
  }
  const description =
    kind === 'list' ? 'Any of these, separated by commas.' : 'One of these, separated by commas.';
  const one = kind === 'boolean' ? 'true|false' : formOf(toSchema(schema, {}));
  if (one === undefined) return { description };
  const value = nullable ? `(?:${one}|null)` : `(?:${one})`;
  return { description, pattern: `^${value}(?:,${value})*$` };
}

/** An expression for the values of a field that has few of them, or one form for all. */
function formOf({ enum: values, pattern }: Json): string | undefined {
  if (Array.isArray(values)) return values.map((value) => literal(String(value))).join('|');
  return typeof pattern === 'string' ? pattern.replaceAll(/^\^|\$$/g, '') : undefined;
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

/** Filters of list calls in the OpenAPI document: lists of values, or the pattern that a range must match. */
import { z } from 'zod';
import { FILTER_VALUES_MAX, filteredField } from '../define/list-query.ts';
import { toSchema } from './json-schema.ts';

type Json = Record<string, unknown>;

const MOMENT = String.raw`\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?`;
/** Either end may be left out, but not both. */
const RANGE = String.raw`${MOMENT}(?:\.\.(?:${MOMENT})?)?|\.\.${MOMENT}`;

/** JSON Schema of a filter; undefined for parameters that are no filters. */
export function describeFilter(parameter: z.ZodType): Json | undefined {
  const field = filteredField(parameter);
  if (!field) return undefined;
  const { kind, schema, nullable } = field;
  if (kind === 'datetime')
    return {
      ...toSchema(parameter, {}),
      description: 'A time or a day, or a range: `from..to`, `from..` or `..to`.',
      pattern: `^(?:${nullable ? `${RANGE}|null` : RANGE})$`,
    };
  if (kind === 'object') {
    const object = { contentMediaType: 'application/json', contentSchema: { type: 'object' } };
    return {
      ...toSchema(parameter, {}),
      description: 'An object with fields that the value has.',
      ...object,
    };
  }
  const items = valueOf(toSchema(schema, {}), nullable);
  const description = kind === 'list' ? 'Any of these.' : 'One of these.';
  return { description, type: 'array', maxItems: FILTER_VALUES_MAX, items };
}

/** One value, of which only the form counts; `null` finds rows without one. */
function valueOf({ type, enum: values, pattern }: Json, nullable: boolean): Json {
  if (Array.isArray(values)) return { type, enum: nullable ? [...values, 'null'] : values };
  const form = { type, ...(pattern === undefined ? {} : { pattern }) };
  return nullable && pattern !== undefined ? { anyOf: [form, { type: 'string', const: 'null' }] } : form;
}

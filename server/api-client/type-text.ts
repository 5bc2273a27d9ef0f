/** JSON Schemas as TypeScript types, in text. */
import { z } from 'zod';

const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
});

/** The type of what a zod schema takes or gives. */
export function typeOf(schema: z.ZodType, io: 'input' | 'output'): string {
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return typeText(root, new Map(Object.entries(root.$defs ?? {})));
}

type Parts = ReadonlyMap<string, unknown>;

function typeText(given: unknown, parts: Parts): string {
  const parsed = schemaShape.safeParse(given);
  if (!parsed.success) return 'unknown';
  const { $ref, type, enum: values, const: fixed, anyOf, items, prefixItems } = parsed.data;
  if ($ref !== undefined) return typeText(parts.get($ref.slice($ref.lastIndexOf('/') + 1)), parts);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (anyOf && type === undefined)
    return [...new Set(anyOf.map((each) => typeText(each, parts)))].join(' | ');
  if (Array.isArray(type))
    return type.map((each) => typeText({ ...parsed.data, type: each }, parts)).join(' | ');
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'number':
    case 'integer':
      return 'number';
    case 'array':
      return prefixItems
        ? `[${prefixItems.map((each) => typeText(each, parts)).join(', ')}]`
        : `(${typeText(items, parts)})[]`;
    case 'object':
      return objectText(parsed.data, parts);
    default:
      return 'unknown';
  }
}

function objectText(
  { properties = {}, required = [], additionalProperties }: z.infer<typeof schemaShape>,
  parts: Parts,
): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeText(schema, parts)}`,
  );
  if (fields.length > 0) return `{ ${fields.join('; ')} }`;
  return `Record<string, ${typeof additionalProperties === 'object' ? typeText(additionalProperties, parts) : 'unknown'}>`;
}

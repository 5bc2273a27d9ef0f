/** JSON Schemas of the OpenAPI document as TypeScript types, in text; descriptions become comments. */
import { z } from 'zod';

const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: z.unknown().optional(),
});

/** The type of a schema; components of the document are referred to by name. `indent` is that of the line around it. */
export function typeText(given: unknown, indent = ''): string {
  const parsed = schemaShape.safeParse(given);
  if (!parsed.success) return 'unknown';
  const { $ref, type, enum: values, const: fixed, anyOf, items, prefixItems } = parsed.data;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (fixed !== undefined) return JSON.stringify(fixed);
  if (anyOf && type === undefined)
    return [...new Set(anyOf.map((each) => typeText(each, indent)))].join(' | ');
  if (Array.isArray(type))
    return type.map((each) => typeText({ ...parsed.data, type: each }, indent)).join(' | ');
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
        ? `[${prefixItems.map((each) => typeText(each, indent)).join(', ')}]`
        : listText(typeText(items, indent));
    case 'object':
      return objectText(parsed.data, indent);
    default:
      return 'unknown';
  }
}

function keyText(name: string): string {
  return /^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name);
}

function listText(item: string): string {
  return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`;
}

/** A comment of one line, with the line break after it; empty without a text. */
export function commentText(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`;
}

function objectText(
  { properties = {}, required = [], additionalProperties }: z.infer<typeof schemaShape>,
  indent: string,
): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    return `${commentText(schema.description, inner)}${inner}${keyText(name)}${mark}: ${typeText(schema, inner)};\n`;
  });
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
  return `Record<string, ${typeof additionalProperties === 'object' ? typeText(additionalProperties, indent) : 'unknown'}>`;
}

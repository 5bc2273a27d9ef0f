/**
 * Adds the descriptions of fields to the OpenAPI document. They are not part of the schemas, because the application loads
 * those with its mutators and calls.
 */
import { ANY_OWNER, type FieldTexts } from '../define/field-texts.ts';

type Json = Record<string, unknown>;

/** A part of the document whose fields are described, and who owns them: the more special owner first. */
interface Part {
  owners: readonly string[];
  /** Names of the fields around it, below the owners. */
  path: readonly string[];
}

/** The component of a kind: `space_memory` is `SpaceMemory`. */
function componentOf(kind: string): string {
  const words = kind.split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function ownersOf(call: string): string[] {
  const [kind = ''] = call.split('.');
  return [call, componentOf(kind), componentOf(kind.replace(/^public_/, '')), ANY_OWNER];
}

/** Owners of the values of a field that is named after a kind, before the others: `threads` of a public call are public. */
function ownersIn(name: string, owners: readonly string[]): string[] {
  const component = componentOf(name.replace(/ies$/, 'y').replace(/s$/, ''));
  const isPublic = owners.some((owner) => owner.startsWith('Public'));
  return [...(isPublic ? [`Public${component}`] : []), component, ...owners];
}

/** Description of a field, by the longest part of its path that an owner describes. */
function textOf(texts: FieldTexts, { owners, path }: Part, name: string): string | undefined {
  const names = [...path, name];
  const keys = names.map((_, index) => names.slice(index).join('.'));
  for (const key of keys) {
    const owner = owners.find((each) => texts[each]?.[key] !== undefined);
    if (owner !== undefined) return texts[owner]?.[key];
  }
  return undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function describeSchema(texts: FieldTexts, part: Part, schema: unknown): void {
  if (!isObject(schema)) return;
  const { properties, items, additionalProperties } = schema;
  for (const each of [items, additionalProperties]) describeSchema(texts, part, each);
  for (const choices of [schema.anyOf, schema.oneOf, schema.allOf, schema.prefixItems])
    if (Array.isArray(choices)) for (const choice of choices) describeSchema(texts, part, choice);
  if (!isObject(properties)) return;
  for (const [name, field] of Object.entries(properties)) {
    if (!isObject(field)) continue;
    const described = textOf(texts, part, name);
    if (described !== undefined) field.description ??= described;
    // A row beside the name of its kind is one of that kind.
    const kind = name === 'row' && isObject(properties.kind) ? String(properties.kind.const) : name;
    const owners = ownersIn(kind, part.owners);
    describeSchema(texts, { owners, path: [...part.path, name] }, field);
  }
}

function describeContent(texts: FieldTexts, owners: readonly string[], holder: unknown): void {
  if (!isObject(holder) || !isObject(holder.content)) return;
  for (const media of Object.values(holder.content))
    if (isObject(media)) describeSchema(texts, { owners, path: [] }, media.schema);
}

/** Adds the texts to components and operations; existing descriptions are not changed. */
export function addFieldTexts(texts: FieldTexts, paths: Readonly<Record<string, Json>>, schemas: Json): void {
  for (const [name, schema] of Object.entries(schemas))
    describeSchema(texts, { owners: [name, ANY_OWNER], path: [] }, schema);
  for (const operation of Object.values(paths).flatMap(Object.values<unknown>)) {
    if (!isObject(operation)) continue;
    const owners = ownersOf(String(operation.operationId));
    const parameters: readonly unknown[] = Array.isArray(operation.parameters) ? operation.parameters : [];
    for (const parameter of parameters) {
      if (!isObject(parameter) || !isObject(parameter.schema)) continue;
      const { description, ...schema } = parameter.schema;
      const text = description ?? textOf(texts, { owners, path: [] }, String(parameter.name));
      Object.assign(parameter, { schema }, text === undefined ? {} : { description: text });
    }
    describeContent(texts, owners, operation.requestBody);
    const responses = isObject(operation.responses) ? Object.values(operation.responses) : [];
    for (const response of responses) describeContent(texts, owners, response);
  }
}

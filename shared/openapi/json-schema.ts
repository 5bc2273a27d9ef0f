/** JSON Schemas of the OpenAPI document, made from those that the server parses with. */
import { z } from 'zod';

type Json = Record<string, unknown>;

/** JSON Schema of requests and responses; named parts move to the components and are referenced. */
export function toSchema(schema: z.ZodType, components: Json): Json {
  const {
    $schema: _dialect,
    $defs,
    ...rest
  } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // A type that was set explicitly makes a union beside it redundant.
      if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
    },
  });
  const { id: _id, ...own }: Json = rest;
  for (const [name, definition] of Object.entries($defs ?? {})) {
    components[name] = pointToComponents(withoutId(definition));
  }
  const named = typeof rest.id === 'string' ? rest.id : undefined;
  if (named === undefined) return pointToComponents(own);
  components[named] = pointToComponents(own);
  return { $ref: `#/components/schemas/${named}` };
}

function withoutId(definition: object): Json {
  return Object.fromEntries(Object.entries(definition).filter(([key]) => key !== 'id'));
}

function pointToComponents(schema: Json): Json {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  const moved: Json = JSON.parse(text);
  return moved;
}

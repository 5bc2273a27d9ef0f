/**
 * The OpenAPI document as a client sees it: read over HTTP, every operation of it, and validators for what it promises.
 * It knows nothing of the table of calls behind the document.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { createRaw, type RawAnswer } from './agent.ts';
import type { World } from './world.ts';

const jsonSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.looseObject({ type: z.unknown().optional() }).optional(),
  default: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  $ref: z.string().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
});
/** A JSON Schema of the document. */
export type DocumentSchema = z.infer<typeof jsonSchema>;

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean().optional(),
  schema: jsonSchema,
  example: z.unknown().optional(),
});
const reference = z.object({ $ref: z.string() });
const content = z.record(z.string(), z.object({ schema: jsonSchema, example: z.unknown().optional() }));
const response = z.looseObject({
  content: content.optional(),
  headers: z.record(z.string(), z.unknown()).optional(),
});
const operationSchema = z.object({
  operationId: z.string(),
  'x-rate-limit': z.string().optional(),
  tags: z.array(z.string()),
  security: z.array(z.unknown()).optional(),
  'x-scope': z.union([z.string(), z.array(z.string())]).optional(),
  parameters: z.array(z.union([parameter, reference])),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([response, reference])),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({
    schemas: z.record(z.string(), jsonSchema),
    responses: z.record(z.string(), response),
  }),
});

/** A parameter of an operation. */
export type DocumentParameter = z.infer<typeof parameter>;

/** One operation of the document. */
export interface Operation {
  name: string;
  method: string;
  path: string;
  isPublic: boolean;
  /** A call of a standard: its forms and failures are those of the standard. */
  isProtocol: boolean;
  parameters: DocumentParameter[];
  /** Schema of the body as JSON. */
  body: DocumentSchema | undefined;
  /** Schema of the body as a form. */
  form: DocumentSchema | undefined;
  /** A body as the document shows it. */
  example: unknown;
  statuses: string[];
  /** Media type of the documented success. */
  mediaType: string;
  isList: boolean;
  /** The class in which its calls are counted. */
  rateLimit: string | undefined;
  /** Whether the document allows a value, as it stands in the address, for a parameter. */
  allows(parameter: DocumentParameter, value: string): boolean;
  /** Faults of an answer: of its status, its headers, its form, or undefined when the document promises exactly this. */
  faultOf(answer: RawAnswer): string | undefined;
}

/** The document of a running server. */
export async function readDocument(world: World): Promise<Operation[]> {
  const { json } = await createRaw(world)('GET', '/v1/openapi.json');
  const document = documentSchema.parse(json);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'document', ...document });
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      describeOperation(ajv, { path, method, operation, document }),
    ),
  );
}

interface Given {
  path: string;
  method: string;
  operation: z.infer<typeof operationSchema>;
  document: z.infer<typeof documentSchema>;
}

function describeOperation(ajv: Ajv2020, { path, method, operation, document }: Given): Operation {
  const success = Object.keys(operation.responses).find((status) => status.startsWith('2')) ?? '';
  const response = operation.responses[success];
  const [media] = Object.entries(response && 'content' in response ? (response.content ?? {}) : {});
  const [mediaType = '', described] = media ?? [];
  const json = operation.requestBody?.content['application/json'];
  const form = operation.requestBody?.content['application/x-www-form-urlencoded'];
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path,
    isPublic: operation.security === undefined,
    isProtocol: operation.tags.includes('protocol'),
    parameters: operation.parameters.flatMap((each) => ('$ref' in each ? [] : [each])),
    body: json && schemaOf(json.schema, document),
    form: form && schemaOf(form.schema, document),
    example: (json ?? form)?.example,
    statuses: Object.keys(operation.responses),
    mediaType,
    isList: described?.schema.required?.includes('meta') ?? false,
    rateLimit: operation['x-rate-limit'],
    allows: ({ schema }, value) => allows(ajv, schema, value),
    faultOf(answer) {
      const status = String(answer.status);
      const promised = operation.responses[status];
      if (promised === undefined) return `${status} is not documented`;
      const { headers = {} } =
        '$ref' in promised ? componentOf(String(promised.$ref), document.components.responses) : promised;
      const missing = Object.keys(headers).filter((name) => !answer.headers.has(name));
      if (missing.length > 0) return `${status} comes without ${missing.join(', ')}`;
      // Sent on, or done without a word.
      if (status !== '400' && !('$ref' in promised) && promised.content === undefined) return undefined;
      const isFile = mediaType !== 'application/json' || described?.schema.type === 'string';
      if (status === success && isFile) return undefined;
      const place = 'content' in promised ? `${status}/content/application~1json` : undefined;
      const pointer = place
        ? `document#/paths/${escaped(path)}/${method}/responses/${place}/schema`
        : 'document#/components/schemas/Failure';
      const validate = ajv.getSchema(pointer);
      if (!validate) return `there is no schema at ${pointer}`;
      return validate(answer.json) ? undefined : ajv.errorsText(validate.errors);
    },
  };
}

const escaped = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));

/** What stands behind a reference, among the components of its kind. */
function componentOf<T>(reference: string, components: Readonly<Record<string, T>>): T {
  const found = components[reference.slice(reference.lastIndexOf('/') + 1)];
  if (found === undefined) throw new Error(`${reference} points at nothing`);
  return found;
}

function schemaOf(schema: DocumentSchema, { components }: Given['document']): DocumentSchema {
  return schema.$ref === undefined ? schema : componentOf(schema.$ref, components.schemas);
}

function allows(ajv: Ajv2020, { default: _ignored, ...schema }: DocumentSchema, value: string): boolean {
  if (schema.type === 'array') {
    const words = value.split(',');
    const isFlag = schema.items?.type === 'boolean';
    const flags: Readonly<Record<string, boolean>> = { true: true, false: false };
    return ajv.validate(schema, isFlag ? words.map((word) => flags[word]) : words);
  }
  if (schema.type === 'integer') return /^\d+$/.test(value) && ajv.validate(schema, Number(value));
  if (!ajv.validate(schema, value)) return false;
  const { contentSchema } = schema;
  if (contentSchema === undefined) return true;
  try {
    return ajv.validate(Object(contentSchema), JSON.parse(value));
  } catch {
    return false;
  }
}

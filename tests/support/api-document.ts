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
  default: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
  $ref: z.string().optional(),
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
const operationSchema = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  security: z.array(z.unknown()).optional(),
  'x-scope': z.union([z.string(), z.array(z.string())]).optional(),
  parameters: z.array(z.union([parameter, reference])),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([z.looseObject({ content: content.optional() }), reference])),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operationSchema)),
  components: z.looseObject({ schemas: z.record(z.string(), jsonSchema) }),
});

/** One operation of the document. */
export interface Operation {
  name: string;
  method: string;
  path: string;
  isPublic: boolean;
  /** A call of a standard: its forms and failures are those of the standard. */
  isProtocol: boolean;
  parameters: z.infer<typeof parameter>[];
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
  /** Faults of an answer: of its status, of its form, or undefined when the document promises exactly this. */
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
    body: json && pointedAt(json.schema, document),
    form: form && pointedAt(form.schema, document),
    example: (json ?? form)?.example,
    statuses: Object.keys(operation.responses),
    mediaType,
    isList: described?.schema.required?.includes('meta') ?? false,
    faultOf(answer) {
      const status = String(answer.status);
      if (operation.responses[status] === undefined) return `${status} is not documented`;
      const promised = operation.responses[status];
      // Sent on, or done without a word.
      if (status !== '400' && promised && !('$ref' in promised) && promised.content === undefined)
        return undefined;
      const isFile = mediaType !== 'application/json' || described?.schema.type === 'string';
      if (status === success && isFile) return undefined;
      const place = promised && 'content' in promised ? `${status}/content/application~1json` : undefined;
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

function pointedAt(schema: DocumentSchema, { components }: Given['document']): DocumentSchema {
  if (schema.$ref === undefined) return schema;
  const found = components.schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`${schema.$ref} points at nothing`);
  return found;
}

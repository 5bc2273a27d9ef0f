// The query of list calls: order, page and one filter per field, all derived from an entity declaration. Parsing turns each
// filter's text into a test that storage can apply; independent of SQL.
import { z } from 'zod';
import { PAGE_NUMBER_MAX, PAGE_SIZE, PAGE_SIZE_MAX } from '../constants.ts';
import { inUtc } from './fields.ts';

export type FieldFilter =
  | { test: 'any_of'; values: readonly (string | number | boolean | null)[] }
  /** The field is a list and shares an item with these. */
  | { test: 'overlaps'; values: readonly string[] }
  /** Both ends are included. */
  | { test: 'between'; from: string | undefined; to: string | undefined }
  /** The field is an object that contains this one. */
  | { test: 'contains'; value: Record<string, unknown> };

/** The parts of an entity declaration that lists derive from. */
export interface ListedEntity<F extends readonly string[] = readonly string[]> {
  row: z.ZodObject;
  filters: F;
  orderBy: readonly string[];
}

/** Values of a filter as a request has them: separated by commas, or each on its own. */
type Given = string | readonly string[];
type FilterSchema = z.ZodOptional<z.ZodType<FieldFilter, Given>>;
type PageShape = ReturnType<typeof pageQuery>['shape'];

const FILTER_MAX = 2_048;
export const FILTER_VALUES_MAX = 100;
/** A cursor holds the values of a row in the order of the list, names among them. */
const CURSOR_MAX = 4_096;
/** No text of the database holds what JSON writes like this. */
const NULL_BYTE_IN_JSON = String.raw`\u0000`;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Query of a list call over an entity; an unknown `orderBy` fails. */
export function listQuery<const F extends readonly string[]>(entity: ListedEntity<F>) {
  const [first = 'created', ...others] = entity.orderBy;
  const names = [...new Set([...entity.filters, 'created', 'updated'])].filter(
    (name) => entity.row.shape[name] !== undefined,
  );
  const filters = Object.fromEntries(
    names.map((name) => [name, filterOf(entity.row.shape[name]).optional()]),
  );
  return pageQuery([first, ...others]).extend(filters) as unknown as z.ZodObject<
    PageShape & { [K in F[number] | 'created' | 'updated']: FilterSchema }
  >;
}

/** Order and page alone, for lists without filters. */
export function pageQuery(orderBy: readonly [string, ...string[]] = ['created']) {
  return z.object({
    orderBy: z.enum(orderBy).default(orderBy[0]),
    order: z.enum(['asc', 'desc']).default('desc'),
    cursor: z.string().max(CURSOR_MAX).optional(),
    ...pageFields,
  });
}

/** The two page fields, in queries and in search bodies. */
export const pageFields = {
  perPage: wholeNumber(1, PAGE_SIZE_MAX).default(PAGE_SIZE),
  page: wholeNumber(1, PAGE_NUMBER_MAX).default(1),
};
export type PageQuery = z.output<ReturnType<typeof pageQuery>>;

/** A whole number that may be sent as text; unlike coercion it refuses lists, booleans and blank text. */
export function wholeNumber(min: number, max: number) {
  const message = `Must be a whole number from ${min} to ${max}`;
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\d{1,15}$/, message)
          .transform(Number),
      ],
      { error: message },
    )
    .pipe(z.number().int(message).min(min, message).max(max, message))
    .meta({ type: 'integer', minimum: min, maximum: max });
}

export function filtersOf(query: Readonly<Record<string, unknown>>): [string, FieldFilter][] {
  return Object.entries(query).flatMap(([field, value]) => (isFilter(value) ? [[field, value]] : []));
}

function isFilter(value: unknown): value is FieldFilter {
  return typeof value === 'object' && value !== null && 'test' in value;
}

/** The fields that filters are about, for the API reference. */
const filtered = new WeakMap<z.ZodType, FilteredField>();

/** The field that a parameter of a list call filters by; undefined for other parameters. */
export function filteredField(parameter: z.ZodType): FilteredField | undefined {
  const filter = parameter instanceof z.ZodOptional ? parameter.unwrap() : parameter;
  return filter instanceof z.ZodType ? filtered.get(filter) : undefined;
}

function filterOf(schema: unknown): z.ZodType<FieldFilter, Given> {
  const field = unwrap(schema);
  const filter = parserOf(field);
  filtered.set(filter, field);
  return filter;
}

function parserOf(field: FilteredField): z.ZodType<FieldFilter, Given> {
  const text = z.string({ error: 'Must be given once, as text' }).max(FILTER_MAX);
  if (field.kind === 'datetime')
    return text.transform((value, issues) =>
      value === 'null' && field.nullable
        ? { test: 'any_of' as const, values: [null] }
        : readRange(value, issues),
    );
  if (field.kind === 'object') return text.transform(readObject);
  // Generated clients repeat the parameter unless they are told otherwise.
  const list = z.union([text, z.array(text).transform((each) => each.join(','))], { error: 'Must be text' });
  return list.transform((value, issues) => {
    const parts = value.split(',');
    if (parts.length > FILTER_VALUES_MAX) return fail(issues, `At most ${FILTER_VALUES_MAX} values`);
    const values: (string | number | boolean | null)[] = [];
    for (const part of parts) {
      const parsed = readValue(part, field);
      if (parsed === undefined)
        return fail(issues, `${JSON.stringify(part.slice(0, 80))} is not a value of this field`);
      values.push(parsed);
    }
    if (field.kind === 'list') return { test: 'overlaps' as const, values: values.map(String) };
    return { test: 'any_of' as const, values };
  });
}

export interface FilteredField {
  kind: 'datetime' | 'object' | 'list' | 'boolean' | 'number' | 'text';
  /** Of one value; of one item where the field is a list. */
  schema: z.ZodType;
  nullable: boolean;
}

function unwrap(schema: unknown): FilteredField {
  if (!(schema instanceof z.ZodType)) throw new Error('A filter needs a field of the entity');
  if (schema instanceof z.ZodNullable) return { ...unwrap(schema.unwrap()), nullable: true };
  if (schema instanceof z.ZodPipe) return unwrap(schema.in);
  if (schema instanceof z.ZodArray) {
    const item = schema.element;
    return { kind: 'list', schema: item instanceof z.ZodType ? item : z.string(), nullable: false };
  }
  return { kind: kindOf(schema), schema, nullable: false };
}

function kindOf(schema: z.ZodType): FilteredField['kind'] {
  if (schema instanceof z.ZodString && schema.format === 'datetime') return 'datetime';
  if (schema instanceof z.ZodRecord) return 'object';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return schema instanceof z.ZodNumber ? 'number' : 'text';
}

/** `null` means "has none" for fields that may be empty. */
function readValue(part: string, field: FilteredField): string | number | boolean | null | undefined {
  if (part === 'null' && field.nullable) return null;
  if (field.kind === 'boolean') return part === 'true' ? true : part === 'false' ? false : undefined;
  const parsed = field.schema.safeParse(field.kind === 'number' ? Number(part || 'x') : part);
  if (!parsed.success) return undefined;
  return typeof parsed.data === 'string' || typeof parsed.data === 'number' ? parsed.data : undefined;
}

/** `from..to`, either end open; a day without time means the whole day. */
function readRange(value: string, issues: z.RefinementCtx): FieldFilter {
  const [first = '', second] = value.split('..', 2);
  const from = first === '' ? undefined : instant(first, 'T00:00:00.000Z');
  const last = second ?? first;
  const to = last === '' ? undefined : instant(last, 'T23:59:59.999Z');
  const wrong = (first !== '' && from === undefined) || (last !== '' && to === undefined) || !(first || last);
  if (wrong) return fail(issues, 'Must be an ISO date or time, or a range from..to');
  return { test: 'between', from, to };
}

function instant(text: string, timeOfDay: string): string | undefined {
  return inUtc(DAY.test(text) ? `${text}${timeOfDay}` : text);
}

function readObject(value: string, issues: z.RefinementCtx): FieldFilter {
  try {
    const parsed = z.record(z.string(), z.unknown()).safeParse(JSON.parse(value));
    if (value.includes(NULL_BYTE_IN_JSON)) return fail(issues, 'Must not hold a null byte');
    if (parsed.success) return { test: 'contains', value: parsed.data };
  } catch {
    // Reported below: text that is no JSON and JSON that is no object get the same words.
  }
  return fail(issues, 'Must be a JSON object');
}

function fail(issues: z.RefinementCtx, message: string): never {
  issues.addIssue({ code: 'custom', message });
  return z.NEVER;
}

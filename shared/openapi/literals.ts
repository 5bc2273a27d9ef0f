/** Values of JSON written as literals of the languages of samples, on one line where they fit. */

/** How a language writes what JSON can hold. */
export interface LiteralStyle {
  key(name: string): string;
  text(value: string): string;
  words: { true: string; false: string; null: string };
  indent: number;
  /** Inside the braces of an object on one line. */
  padding: '' | ' ';
  /** Whether a list over several lines ends with a comma. */
  trailingComma: boolean;
}

const quoted = (text: string): string => JSON.stringify(text);
const singleQuoted = (text: string): string =>
  `'${quoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

export const JSON_STYLE: LiteralStyle = {
  key: quoted,
  text: quoted,
  words: { true: 'true', false: 'false', null: 'null' },
  indent: 2,
  padding: '',
  trailingComma: false,
};

export const TYPESCRIPT_STYLE: LiteralStyle = {
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : singleQuoted(name)),
  text: singleQuoted,
  words: { true: 'true', false: 'false', null: 'null' },
  indent: 2,
  padding: ' ',
  trailingComma: true,
};

export const PYTHON_STYLE: LiteralStyle = {
  key: quoted,
  text: quoted,
  words: { true: 'True', false: 'False', null: 'None' },
  indent: 4,
  padding: '',
  trailingComma: true,
};

const LINE = 72;

/** A value as the language writes it; `column` is where it begins, `depth` how far its lines are indented. */
export function literal(value: unknown, style: LiteralStyle, column = 0, depth = 0): string {
  const line = onOneLine(value, style);
  if (column + line.length <= LINE || !isNested(value)) return line;
  const inner = depth + style.indent;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, style, inner, inner))
    : Object.entries(value).map(([name, item]) => {
        const key = `${style.key(name)}: `;
        return key + literal(item, style, inner + key.length, inner);
      });
  const [open, close] = isList ? '[]' : '{}';
  const lines = items.map((item) => `${' '.repeat(inner)}${item}`).join(',\n');
  return `${open}\n${lines}${style.trailingComma ? ',' : ''}\n${' '.repeat(depth)}${close}`;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function onOneLine(value: unknown, style: LiteralStyle): string {
  if (typeof value === 'string') return style.text(value);
  if (value === true) return style.words.true;
  if (value === false) return style.words.false;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => onOneLine(item, style)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return style.words.null;
  const fields = Object.entries(value).map(([name, item]) => `${style.key(name)}: ${onOneLine(item, style)}`);
  return fields.length === 0 ? '{}' : `{${style.padding}${fields.join(', ')}${style.padding}}`;
}

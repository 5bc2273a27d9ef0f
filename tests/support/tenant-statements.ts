/**
 * Finds the tables of a workspace that a statement reads or writes without naming the workspace. It reads the statement
 * with PostgreSQL's own parser and knows nothing of who sent it.
 */
import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query';
import { TENANT_COLUMNS } from '#server/db/placement.ts';

await loadModule();

type Node = Readonly<Record<string, unknown>>;

/** A table of a workspace in one FROM list, or what is written. */
interface Source {
  table: string;
  column: string;
  /** An equal column leads to another source; `true` once a value names the workspace. */
  bound: boolean;
  equals: Source[];
}

/** One query or part of it: the names that its conditions may use. */
interface Scope {
  parent: Scope | undefined;
  /** By alias; undefined for a table that belongs to no workspace, a function or a subquery. */
  sources: Map<string, Source | undefined>;
  expressions: Set<string>;
}

const STATEMENTS = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const;

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nodeAt(node: Node, key: string): Node | undefined {
  const value = node[key];
  return isNode(value) ? value : undefined;
}

function nodesAt(node: Node, key: string): readonly Node[] {
  const value = node[key];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function textAt(node: Node | undefined, key: string): string | undefined {
  const value = node?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** The tables that the statement touches without naming their workspace. @throws Error when it cannot be parsed */
export function findAcross(text: string): string[] {
  const found: Source[] = [];
  visit(parseSync(text), undefined, found);
  return unnamed(found);
}

/** The same for all statements in the body of a function in PL/pgSQL, given its whole definition. */
export function findAcrossInFunction(definition: string): string[] {
  const found: Source[] = [];
  for (const query of queriesOf(parsePlPgSQLSync(definition))) visit(parseSync(query), undefined, found);
  return unnamed(found);
}

/** Texts of the statements in a parsed function; expressions (parse mode 2) stand for `select` of them. */
function queriesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(queriesOf);
  if (!isNode(value)) return [];
  const expression = nodeAt(value, 'PLpgSQL_expr');
  const query = textAt(expression, 'query');
  if (query !== undefined)
    return expression?.['parseMode'] === 0
      ? [query]
      : expression?.['parseMode'] === 2
        ? [`select ${query}`]
        : [];
  return Object.values(value).flatMap(queriesOf);
}

function unnamed(found: readonly Source[]): string[] {
  return [...new Set(found.filter((source) => !isBound(source)).map(({ table }) => table))].sort();
}

function isBound(source: Source, seen = new Set<Source>()): boolean {
  if (seen.has(source)) return false;
  seen.add(source);
  return source.bound || source.equals.some((other) => isBound(other, seen));
}

/** Walks to every query below a node. */
function visit(value: unknown, scope: Scope | undefined, found: Source[]): void {
  if (Array.isArray(value)) {
    for (const item of value) visit(item, scope, found);
    return;
  }
  if (!isNode(value)) return;
  for (const [key, child] of Object.entries(value)) {
    const kind = STATEMENTS.find((name) => name === key);
    if (kind !== undefined && isNode(child)) visitStatement(kind, child, scope, found);
    else visit(child, scope, found);
  }
}

function visitStatement(
  kind: (typeof STATEMENTS)[number],
  statement: Node,
  parent: Scope | undefined,
  found: Source[],
): void {
  const scope: Scope = { parent, sources: new Map(), expressions: new Set() };
  for (const cte of nodesAt(nodeAt(statement, 'withClause') ?? {}, 'ctes'))
    scope.expressions.add(textAt(nodeAt(cte, 'CommonTableExpr'), 'ctename') ?? '');
  const conditions: Node[] = [];
  const relation = nodeAt(statement, 'relation');
  if (relation !== undefined) {
    const target = addTable(relation, scope, found);
    const columns = nodesAt(statement, 'cols').map((column) => textAt(nodeAt(column, 'ResTarget'), 'name'));
    if (target !== undefined && kind === 'InsertStmt')
      target.bound = columns.length === 0 || columns.includes(target.column);
  }
  for (const item of [...nodesAt(statement, 'fromClause'), ...nodesAt(statement, 'usingClause')])
    addFrom(item, scope, conditions, found);
  const where = nodeAt(statement, 'whereClause');
  if (where !== undefined) conditions.push(where);
  for (const condition of conditions) applyCondition(condition, scope);
  // Both sides of a union stand here without the wrapper that other queries have.
  for (const side of ['larg', 'rarg']) {
    const query = nodeAt(statement, side);
    if (query !== undefined) visitStatement('SelectStmt', query, scope, found);
  }
  for (const [key, child] of Object.entries(statement))
    if (key !== 'larg' && key !== 'rarg') visit(child, scope, found);
}

function addTable(range: Node, scope: Scope, found: Source[]): Source | undefined {
  const table = textAt(range, 'relname') ?? '';
  const name = textAt(nodeAt(range, 'alias'), 'aliasname') ?? table;
  const column = TENANT_COLUMNS[table];
  const schema = textAt(range, 'schemaname') ?? 'public';
  const isTable = column !== undefined && schema === 'public' && !isExpression(table, scope);
  const source = isTable ? { table, column, bound: false, equals: [] } : undefined;
  scope.sources.set(name, source);
  if (source !== undefined) found.push(source);
  return source;
}

function isExpression(name: string, scope: Scope | undefined): boolean {
  return scope !== undefined && (scope.expressions.has(name) || isExpression(name, scope.parent));
}

/** Adds what an item of a FROM list brings; returns its names. */
function addFrom(item: Node, scope: Scope, conditions: Node[], found: Source[]): string[] {
  const range = nodeAt(item, 'RangeVar');
  if (range !== undefined) {
    addTable(range, scope, found);
    return [textAt(nodeAt(range, 'alias'), 'aliasname') ?? textAt(range, 'relname') ?? ''];
  }
  const join = nodeAt(item, 'JoinExpr');
  if (join === undefined) {
    const other = nodeAt(item, 'RangeSubselect') ?? nodeAt(item, 'RangeFunction');
    const name = textAt(nodeAt(other ?? {}, 'alias'), 'aliasname') ?? '';
    scope.sources.set(name, undefined);
    return [name];
  }
  const sides = ['larg', 'rarg'].map((side) => addFrom(nodeAt(join, side) ?? {}, scope, conditions, found));
  const quals = nodeAt(join, 'quals');
  if (quals !== undefined) conditions.push(quals);
  for (const shared of nodesAt(join, 'usingClause')) {
    const column = textAt(nodeAt(shared, 'String'), 'sval');
    const [left = [], right = []] = sides.map((names) =>
      names
        .map((name) => scope.sources.get(name))
        .filter((source) => source === undefined || source.column === column),
    );
    for (const one of left) for (const other of right) equate(one, other);
  }
  return sides.flat();
}

/** Only what must hold for every row counts, so no part of an `or` or of a `not`. */
function applyCondition(condition: Node, scope: Scope): void {
  const connected = nodeAt(condition, 'BoolExpr');
  if (connected !== undefined) {
    if (connected['boolop'] === 'AND_EXPR')
      for (const part of nodesAt(connected, 'args')) applyCondition(part, scope);
    return;
  }
  const comparison = nodeAt(condition, 'A_Expr');
  if (comparison !== undefined) {
    const operator = nodesAt(comparison, 'name').map((name) => textAt(nodeAt(name, 'String'), 'sval'));
    if (operator.at(-1) !== '=') return;
    const left = partsOf(nodeAt(comparison, 'lexpr'));
    const right = comparison['kind'] === 'AEXPR_OP' ? partsOf(nodeAt(comparison, 'rexpr')) : [];
    for (let index = 0; index < Math.max(left.length, right.length); index++)
      equate(resolve(left[index], scope), resolve(right[index], scope));
    return;
  }
  const sublink = nodeAt(condition, 'SubLink');
  if (sublink?.['subLinkType'] === 'ANY_SUBLINK')
    for (const part of partsOf(nodeAt(sublink, 'testexpr'))) equate(resolve(part, scope), undefined);
}

function partsOf(expression: Node | undefined): readonly (Node | undefined)[] {
  const row = expression && nodeAt(expression, 'RowExpr');
  return row === undefined ? [expression] : nodesAt(row, 'args');
}

/** The source whose workspace an expression is; undefined for any other value. */
function resolve(expression: Node | undefined, scope: Scope): Source | undefined {
  if (expression === undefined) return undefined;
  const cast = nodeAt(expression, 'TypeCast');
  if (cast !== undefined) return resolve(nodeAt(cast, 'arg'), scope);
  const reference = nodeAt(expression, 'ColumnRef');
  if (reference === undefined) return undefined;
  const names = nodesAt(reference, 'fields').map((field) => textAt(nodeAt(field, 'String'), 'sval'));
  const column = names.at(-1);
  const alias = names.at(-2);
  for (let place: Scope | undefined = scope; place !== undefined; place = place.parent) {
    if (alias !== undefined) {
      if (!place.sources.has(alias)) continue;
      const source = place.sources.get(alias);
      return source?.column === column ? source : undefined;
    }
    const own = [...place.sources.values()].find((source) => source?.column === column);
    if (own !== undefined) return own;
  }
  return undefined;
}

/** Two expressions that are equal: a source is bound by a value or to another source. */
function equate(one: Source | undefined, other: Source | undefined): void {
  if (one === undefined || other === undefined) {
    for (const source of [one, other]) if (source !== undefined) source.bound = true;
    return;
  }
  one.equals.push(other);
  other.equals.push(one);
}

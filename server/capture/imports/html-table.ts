// Tables of a note in HTML as Markdown tables.
import type TurndownService from 'turndown';
import { markdownTable } from '../markdown-table.ts';

/** The part of linkedom's nodes that is read here; the server has no DOM types. */
export interface MarkupNode {
  nodeName: string;
  parentNode: MarkupNode | null;
  childNodes: Iterable<MarkupNode>;
  getAttribute(name: string): string | null;
}

interface Cell {
  row: MarkupNode | null;
  text: string;
  columns: number;
  rows: number;
}

interface Table {
  cells: Cell[];
  holdsTables: boolean;
}

const SPAN_MAX = 100;
/** Larger tables are written as paragraphs: a Markdown table has every cell in every row. */
const GRID_MAX = 50_000;

export const isNamed = (node: unknown, ...names: readonly string[]) =>
  names.includes((node as MarkupNode).nodeName);

/**
 * Teaches a converter to write tables. Cells are collected as they are converted, so that nesting does not multiply the work.
 * A table with one filled cell, or around other tables, only arranges its content, which stays in paragraphs.
 */
export function addTables(turndown: TurndownService): void {
  const tables = new WeakMap<MarkupNode, Table>();
  const collected = (node: MarkupNode): Table => {
    const table = tables.get(node) ?? { cells: [], holdsTables: false };
    tables.set(node, table);
    return table;
  };
  turndown.addRule('cell', {
    filter: (node) => isNamed(node, 'TD', 'TH') && tableAround(node as unknown as MarkupNode) !== null,
    replacement: (content, node) => {
      const cell = node as unknown as MarkupNode;
      const table = tableAround(cell);
      if (table !== null) {
        const [columns, rows] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan')];
        collected(table).cells.push({ row: cell.parentNode, text: content.trim(), columns, rows });
      }
      return '';
    },
  });
  turndown.addRule('caption', {
    filter: (node) => isNamed(node, 'CAPTION'),
    replacement: (content) => `\n\n${content.trim()}\n\n`,
  });
  turndown.addRule('table', {
    filter: (node) => isNamed(node, 'TABLE'),
    // What is left are captions, and words that are in no cell.
    replacement: (rest, node) => {
      const outer = tableAround(node as unknown as MarkupNode);
      if (outer !== null) collected(outer).holdsTables = true;
      const words = written(collected(node as unknown as MarkupNode));
      return `\n\n${[rest.trim(), words].filter((part) => part !== '').join('\n\n')}\n\n`;
    },
  });
}

function tableAround({ parentNode }: MarkupNode): MarkupNode | null {
  for (let node = parentNode; node !== null; node = node.parentNode) if (isNamed(node, 'TABLE')) return node;
  return null;
}

function spanOf(cell: MarkupNode, name: 'colspan' | 'rowspan'): number {
  const span = Math.trunc(Number(cell.getAttribute(name) ?? 1));
  return span >= 1 ? Math.min(span, SPAN_MAX) : 1;
}

function written({ cells, holdsTables }: Table): string {
  const filled = cells.flatMap(({ text }) => (text === '' ? [] : [text]));
  if (holdsTables || filled.length < 2) return filled.join('\n\n');
  const rows = gridOf(cells);
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  return width * rows.length > GRID_MAX ? filled.join('\n\n') : markdownTable(rows);
}

/** A cell over several columns or rows fills the first place of them; the others are empty. */
function gridOf(cells: readonly Cell[]): string[][] {
  const rows: string[][] = [];
  /** For each column, how many further rows a cell from above takes up. */
  const taken: number[] = [];
  let row: string[] = [];
  let from: MarkupNode | null | undefined;
  for (const cell of cells) {
    if (from === undefined || cell.row !== from) {
      for (const [column, left] of taken.entries())
        if (column >= row.length && left > 0) taken[column] = left - 1;
      row = [];
      rows.push(row);
      from = cell.row;
    }
    while ((taken[row.length] ?? 0) > 0) {
      taken[row.length] = (taken[row.length] ?? 0) - 1;
      row.push('');
    }
    for (let column = 0; column < cell.columns; column += 1) {
      taken[row.length] = cell.rows - 1;
      row.push(column === 0 ? cell.text : '');
    }
  }
  return rows;
}

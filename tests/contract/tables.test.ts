/**
 * The tables that others build on, printed and compared with what was last agreed on: permissions, mutators, errors and
 * calls. A change of a snapshot is a change of the product's promises and is reviewed as such.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as timing from '#client/ui/timing.ts';
import { ICON_FETCH_TIMEOUT_MS } from '#shared/capture/limits.ts';
import { PAGE_SIZE } from '#shared/constants.ts';
import { RANDOM_LIMIT } from '#shared/memories/limits.ts';
import { isMemberCall, scopesOf, type AnyEndpoint } from '#shared/define/endpoint.ts';
import { ENDPOINTS } from '#shared/endpoints.ts';
import { ERRORS } from '#shared/errors.ts';
import { ID_KINDS } from '#shared/ids.ts';
import { MUTATORS } from '#shared/mutators.ts';
import { PAGES } from '#shared/pages.ts';
import { PERMISSIONS, POSITIONS } from '#shared/permissions.ts';

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, index) =>
    Math.max(title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line), ''].join('\n');
}

describe('what was agreed on', () => {
  it('who may do what', async () => {
    const rows = Object.entries(PERMISSIONS).map(([action, rules]) => [action, ...rules]);
    await expect(table(['action', ...POSITIONS, 'guest'], rows)).toMatchFileSnapshot(
      './permissions.snapshot.md',
    );
  });

  it('names and arguments of mutators', async () => {
    const shapes = Object.entries(MUTATORS).map(([name, { realm, args }]) => {
      const schema = z.toJSONSchema(args, { io: 'input', unrepresentable: 'any' });
      return `${name} (${realm})\n${JSON.stringify({ properties: schema.properties, required: schema.required }, null, 1)}\n`;
    });
    await expect(shapes.join('\n')).toMatchFileSnapshot('./mutators.snapshot.txt');
  });

  it('errors, their status and words', async () => {
    const rows = Object.entries(ERRORS).map(([code, { status, message }]) => [code, String(status), message]);
    await expect(table(['code', 'status', 'message'], rows)).toMatchFileSnapshot('./errors.snapshot.md');
  });

  it('kinds of ids', async () => {
    const rows = Object.entries(ID_KINDS).map(([kind, { prefix, length }]) => [
      kind,
      prefix ?? '–',
      String(length),
    ]);
    await expect(table(['kind', 'prefix', 'length'], rows)).toMatchFileSnapshot('./ids.snapshot.md');
  });

  it('pages, their layout and who is let in', async () => {
    const rows = Object.entries(PAGES).map(([name, page]) => [name, page.path, page.layout, page.guard]);
    await expect(table(['name', 'path', 'layout', 'guard'], rows)).toMatchFileSnapshot('./pages.snapshot.md');
  });

  it('the promised numbers', () => {
    expect({ ...timing, PAGE_SIZE, RANDOM_LIMIT, ICON_FETCH_TIMEOUT_MS }).toMatchObject({
      PAGE_SIZE: 20,
      RANDOM_LIMIT: 20,
      SHORTCUT_CHAIN_MS: 800,
      NEWSLETTER_VALIDATION_DELAY_MS: 300,
      BUILD_CHECK_INTERVAL_MS: 36e5,
      BUILD_CHECK_FIRST_MS: 1e3,
      RELOAD_GUARD_MS: 1e4,
      LOGOUT_REDIRECT_DELAY_MS: 200,
      COPIED_RESET_MS: 1500,
      ICON_FETCH_TIMEOUT_MS: 1500,
      LOADING_BAR: {
        throttleMs: 200,
        durationMs: 2e3,
        hideDelayMs: 500,
        resetDelayMs: 400,
        heightPx: 3,
      },
      TOAST: {
        closeMs: 5e3,
        maxVisible: 5,
        removeDelayMs: 200,
        hotkey: 'F8',
      },
      TOOLTIP: {
        delayMs: 700,
        skipDelayMs: 300,
      },
    });
  });

  it('calls, who may make them and how they are counted', async () => {
    const endpoints: [string, AnyEndpoint][] = Object.entries(ENDPOINTS);
    const rows = endpoints.map(([name, row]) => [
      name,
      row.method,
      row.path,
      row.auth,
      scopesOf(row).join(' ') || '–',
      row.rate ?? '–',
    ]);
    const head = ['name', 'method', 'path', 'auth', 'scope', 'rate'];
    await expect(table(head, rows)).toMatchFileSnapshot('./calls.snapshot.md');
  });
});

it('every call about a workspace names it in path or body', () => {
  for (const [name, row] of Object.entries(ENDPOINTS)) {
    if (!isMemberCall(row)) continue;
    const inPath = row.path.includes('{workspaceId}');
    const body: unknown = 'body' in row ? row.body : undefined;
    const required =
      body instanceof z.ZodType ? z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }).required : [];
    expect([name, inPath || required?.includes('workspaceId')]).toEqual([name, true]);
  }
});

it('path parameters and their schemas have the same names', () => {
  for (const [name, row] of Object.entries(ENDPOINTS)) {
    const inPath = [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
    const declared = 'params' in row ? Object.keys(row.params.shape) : [];
    expect([name, new Set(declared)]).toEqual([name, new Set(inPath)]);
  }
});

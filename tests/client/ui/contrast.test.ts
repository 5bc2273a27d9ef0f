/** The colour tokens of styles.css: every text on every ground it is used on, in both modes, at 4.5:1 or more. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { THEME_COLORS } from '#client/shell/first-paint-script.ts';

const css = readFileSync(new URL('../../../client/styles.css', import.meta.url), 'utf8');

function tokensOf(selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start));
  const tokens = block.matchAll(/--([\w-]+): (#[\da-f]{6});/g);
  return new Map([...tokens].map(([, name, value]) => [name ?? '', value ?? '']));
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

const GROUNDS = ['canvas', 'surface', 'surface-raised', 'surface-sunken', 'surface-hover', 'surface-active'];
const TEXTS = ['ink', 'ink-muted', 'ink-faint', 'primary-text', 'danger-text', 'warning-text', 'info-text'];
const PAIRS: readonly [string, string][] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground): [string, string] => [text, ground])),
  ['ink-inverse', 'surface-inverse'],
  ['primary-ink', 'primary'],
  ['primary-ink', 'primary-hover'],
  ['danger-ink', 'danger'],
  ['danger-ink', 'danger-hover'],
  ...['primary', 'danger', 'warning', 'info'].map((tone): [string, string] => [
    `${tone}-soft-ink`,
    `${tone}-soft`,
  ]),
  ['ink', 'primary-soft'],
  ['ink-muted', 'primary-soft'],
  ['danger-text', 'danger-soft'],
];
const MARKS: readonly [string, string][] = ['canvas', 'surface', 'surface-raised'].flatMap(
  (ground): [string, string][] => [
    ['line-control', ground],
    ['focus', ground],
    ['primary', ground],
  ],
);

describe.each([':root', '.dark'])('the colours of %s', (selector) => {
  const tokens = tokensOf(selector);
  const color = (name: string): string => {
    const value = tokens.get(name);
    if (value === undefined) throw new Error(`${selector} has no --${name}`);
    return value;
  };

  it.each(PAIRS)('keep text %s on %s at 4.5:1', (text, ground) => {
    expect(contrast(color(text), color(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(MARKS)('keep mark %s on %s at 3:1', (mark, ground) => {
    expect(contrast(color(mark), color(ground))).toBeGreaterThanOrEqual(3);
  });

  it('paint the browser in the colour of the canvas', () => {
    expect(THEME_COLORS[selector === '.dark' ? 'dark' : 'light']).toBe(color('canvas'));
  });
});

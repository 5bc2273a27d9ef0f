/** The colour tokens of styles.css: every text on every ground it is used on, in both modes, at 4.5:1 or more. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { THEME_COLORS } from '#client/shell/first-paint-script.ts';

const css = readFileSync(new URL('../../../client/styles.css', import.meta.url), 'utf8');

function tokensOf(selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf('\n}', start));
  const tokens = block.matchAll(/--([\w-]+): ([^;]+);/g);
  return new Map([...tokens].map(([, name, value]) => [name ?? '', value ?? '']));
}

const MIX = /^color-mix\(in oklab, var\(--([\w-]+)\) (\d+)%, var\(--([\w-]+)\)\)$/;

type Triple = readonly [number, number, number];

function multiply(rows: readonly [Triple, Triple, Triple], [x, y, z]: Triple): Triple {
  const of = ([a, b, c]: Triple): number => a * x + b * y + c * z;
  return [of(rows[0]), of(rows[1]), of(rows[2])];
}

function linear(color: string): Triple {
  const at = (from: number): number => {
    const part = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  };
  return [at(1), at(3), at(5)];
}

const TO_LMS = [
  [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
  [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
  [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
] as const;
const FROM_LMS = [
  [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
  [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
  [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701],
] as const;

/** Mixes in Oklab: its axes are linear in the cube roots of these, so mixing those gives the same. */
function mix(one: string, other: string, share: number): string {
  const [a, b] = [one, other].map((color) => multiply(TO_LMS, linear(color)));
  const at = (index: 0 | 1 | 2): number =>
    (Math.cbrt(a?.[index] ?? 0) * share + Math.cbrt(b?.[index] ?? 0) * (1 - share)) ** 3;
  const parts = multiply(FROM_LMS, [at(0), at(1), at(2)]).map((part) => {
    const curved = part <= 0.003_130_8 ? part * 12.92 : 1.055 * part ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, curved)) * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${parts.join('')}`;
}

function luminance(color: string): number {
  const [red, green, blue] = linear(color);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

const GROUNDS = ['paper', 'raised', 'sunk', 'hover', 'active'];
const HUES = ['clay', 'ochre', 'olive', 'emerald', 'lake', 'iris', 'plum', 'slate'];
const TEXTS = ['ink', 'ink-muted', 'ink-faint', 'primary', 'danger'];
const PAIRS: readonly [string, string][] = [
  ...TEXTS.flatMap((text) => GROUNDS.map((ground): [string, string] => [text, ground])),
  // Names of spaces and of tones stand on paper, cards and the sidebar.
  ...HUES.flatMap((hue) => ['paper', 'raised', 'sunk'].map((ground): [string, string] => [hue, ground])),
  ['paper', 'ink'],
  ['primary-ink', 'primary'],
  ['primary-ink', 'primary-hover'],
  ['danger-ink', 'danger'],
  ['danger-ink', 'danger-hover'],
  ['primary', 'primary-soft'],
  ['danger', 'danger-soft'],
  ['ochre', 'warning-soft'],
  ['lake', 'info-soft'],
  ...['primary-soft', 'danger-soft', 'warning-soft', 'info-soft'].flatMap((ground) =>
    ['ink', 'ink-muted'].map((text): [string, string] => [text, ground]),
  ),
  ['ink', 'mark'],
];
const MARKS: readonly [string, string][] = ['paper', 'raised', 'sunk'].flatMap(
  (ground): [string, string][] => [
    ['line-control', ground],
    ['primary', ground],
    ...HUES.map((hue): [string, string] => [hue, ground]),
  ],
);

describe.each([':root', '.dark'])('the colours of %s', (selector) => {
  const tokens = new Map([...tokensOf(':root'), ...tokensOf(selector)]);
  const color = (name: string): string => {
    const value = tokens.get(name) ?? '';
    const [, mixed = '', share = '', ground = ''] = MIX.exec(value) ?? [];
    if (mixed !== '') return mix(color(mixed), color(ground), Number(share) / 100);
    if (!/^#[\da-f]{6}$/.test(value)) throw new Error(`${selector} has no colour --${name}`);
    return value;
  };

  it.each(PAIRS)('keep text %s on %s at 4.5:1', (text, ground) => {
    expect(contrast(color(text), color(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(MARKS)('keep mark %s on %s at 3:1', (mark, ground) => {
    expect(contrast(color(mark), color(ground))).toBeGreaterThanOrEqual(3);
  });

  it('paint the browser in the colour of the paper', () => {
    expect(THEME_COLORS[selector === '.dark' ? 'dark' : 'light']).toBe(color('paper'));
  });
});

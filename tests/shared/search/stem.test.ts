/** Forms that must meet, and words that must not. */
import { describe, expect, it } from 'vitest';
import { stemOf } from '#shared/search/stem.ts';

describe('a stem', () => {
  it.each([
    ['make', 'makes', 'making'],
    ['run', 'runs', 'running'],
    ['try', 'tries', 'tried', 'trying'],
    ['use', 'uses', 'used', 'using'],
    ['box', 'boxes'],
    ['size', 'sizes', 'sized'],
    ['bus', 'buses'],
    ['note', 'notes', 'noted', 'noting'],
    ['plan', 'plans', 'planned', 'planning'],
    ['write', 'writes', 'writing'],
    ['change', 'changes', 'changed', 'changing'],
    ['open', 'opened', 'opening'],
    ['quote', 'quotes', 'quoted', 'quoting'],
    ['class', 'classes'],
    ['container', 'containers'],
    ['convert', 'converts', 'converted', 'converting'],
  ])('is the same for %s and its forms', (...forms) => {
    expect(new Set(forms.map(stemOf)).size).toBe(1);
  });

  it.each([
    ['note', 'not'],
    ['planes', 'plans'],
    ['hoping', 'hopping'],
    ['sites', 'sits'],
    ['caring', 'cars'],
    ['fire', 'fir'],
    ['wines', 'wins'],
    ['starring', 'stares'],
  ])('tells %s from %s', (one, other) => {
    expect(stemOf(one)).not.toBe(stemOf(other));
  });

  it.each([
    'king',
    'string',
    'thing',
    'bring',
    'need',
    'status',
    'basis',
    'bed',
    'naïve',
    'ウェブ',
    'v1',
    'as',
  ])('leaves %s alone', (word) => {
    expect(stemOf(word)).toBe(word);
  });
});

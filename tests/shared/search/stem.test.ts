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
    ['class', 'classes'],
    ['container', 'containers'],
    ['convert', 'converts', 'converted', 'converting'],
  ])('is the same for %s and its forms', (...forms) => {
    expect(new Set(forms.map(stemOf)).size).toBe(1);
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

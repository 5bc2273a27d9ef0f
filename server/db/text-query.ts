/**
 * A search plan as the text of a PostgreSQL tsquery over documents made by the function search_vector. Uses the terms of plans
 * and the four weights of documents; runs no query.
 */
import { alternativesOf, type SearchPlan, type TermGroup } from '#shared/memories/search-plan.ts';
import { TERM_MAX_LENGTH } from '#shared/memories/text-analysis.ts';

/** all = every word must be there; any = plain words may be missing, quoted text and operators may not. */
export type QueryMode = 'all' | 'any';

/** Letters of the weights of a memory's fields. */
const WEIGHTS = { any: '', title: 'A', url: 'C' } as const;
/** The weights of public fields: all except notes. */
const SHOWN = 'ABC';

/** all = the whole document; shown = only what the public is shown. */
export type QueryReach = 'all' | 'shown';
const IDEOGRAPHS = /^[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+$/;

/** Query text for the required and excluded groups of a plan; empty when the plan has no text conditions. */
export function textQueryOf(plan: SearchPlan, mode: QueryMode, reach: QueryReach = 'all'): string {
  const group = (each: TermGroup) => groupQuery(each, reach);
  const fixed = plan.required.filter((each) => mode === 'all' || each.exact).map(group);
  const loose = plan.required.filter((each) => mode === 'any' && !each.exact).map(group);
  const excluded = plan.excluded.map((each) => `!(${group(each)})`);
  return [...fixed, ...(loose.length > 0 ? [`(${loose.join(' | ')})`] : []), ...excluded].join(' & ');
}

/** One group: a word with its inflections, or words in their order. */
function groupQuery(group: TermGroup, reach: QueryReach = 'all'): string {
  const weights = WEIGHTS[group.field] || (reach === 'shown' ? SHOWN : '');
  if (group.terms.length === 1) {
    const [first = '', ...others] = alternativesOf(group);
    const words = [
      termQuery(first, group.prefix, weights),
      ...others.map((term) => termQuery(term, false, weights)),
    ];
    return words.length === 1 ? words.join('') : `(${words.join(' | ')})`;
  }
  const last = group.terms.length - 1;
  // Pairs of ideographs overlap, so they cannot follow each other; all of them must be present.
  const overlaps = group.terms.some((term) => IDEOGRAPHS.test(term));
  const words = group.terms.map((term, index) => termQuery(term, group.prefix && index === last, weights));
  return `(${words.join(overlaps ? ' & ' : ' <-> ')})`;
}

/** Stored words are not truncated, so a truncated term becomes a prefix query. */
function termQuery(term: string, prefix: boolean, weights: string): string {
  const open = prefix || term.length >= TERM_MAX_LENGTH;
  const suffix = open || weights !== '' ? `:${open ? '*' : ''}${weights}` : '';
  if (!IDEOGRAPHS.test(term)) return `${quote(term)}${suffix}`;
  const signs = [...term].map((sign) => `${quote(sign)}${weights === '' ? '' : `:${weights}`}`);
  return signs.length === 1 ? signs.join('') : `(${signs.join(' <-> ')})`;
}

function quote(term: string): string {
  return `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

/** A LIKE pattern that matches the text literally, anywhere in a value. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * The conditions of a query on the text and fields of a memory, as analysed terms for an index or for SQL. Pure, and
 * the same on client and server, so that a query means the same on both.
 */
import { dateClauseTime, type SearchClause } from './search-query.ts';
import { foldText, inflectionsOf, isLoneIdeograph, queryTermsOf } from './text-analysis.ts';

/** Terms that must be adjacent in this order; mostly just one. */
export interface TermGroup {
  terms: string[];
  /** The last term may be the beginning of a longer one. */
  prefix: boolean;
  /** The words as written only: quoted text has no inflections and no fuzzy matches. */
  exact: boolean;
  /** The field that must contain the terms; `title` and `url` come from the operators of that name. */
  field: 'any' | 'title' | 'url';
}

/** A field compared as a whole, folded, with any of the values. */
export interface FacetTest {
  facet: 'tag' | 'space' | 'type' | 'origin';
  values: string[];
  negated: boolean;
}

/** The required terms, the excluded terms and the limits of one query. */
export interface SearchPlan {
  required: TermGroup[];
  excluded: TermGroup[];
  facets: FacetTest[];
  /** `is:archived` selects archived memories only, `-is:archived` the others; undefined leaves it to the caller. */
  archived: boolean | undefined;
  /** Created at or after this time (UTC milliseconds). */
  from: number;
  /** Created before this time (UTC milliseconds). */
  until: number;
}

/** Analyses clauses; the last plain word is treated as the beginning of a word, since it may still be being typed. */
export function planSearch(clauses: readonly SearchClause[]): SearchPlan {
  const plan: SearchPlan = {
    required: [],
    excluded: [],
    facets: [],
    archived: undefined,
    from: -Infinity,
    until: Infinity,
  };
  const lastWord = clauses.findLast((clause) => clause.kind === 'word' && !clause.negated);
  for (const clause of clauses) addClause(plan, clause, clause === lastWord);
  return plan;
}

/** True when the plan has no text condition: such a search lists by date. */
export function isFilterOnly(plan: SearchPlan): boolean {
  return plan.required.length === 0;
}

/** True when the plan has no condition at all. */
export function isEmptyPlan(plan: SearchPlan): boolean {
  const nothingNamed = plan.required.length + plan.excluded.length + plan.facets.length === 0;
  return nothingNamed && plan.archived === undefined && plan.from === -Infinity && plan.until === Infinity;
}

/** The terms that match a single required word, best first: itself, then its inflections. */
export function alternativesOf(group: TermGroup): string[] {
  const [only, ...others] = group.terms;
  if (only === undefined || others.length > 0 || group.exact) return group.terms;
  return [only, ...inflectionsOf(only)];
}

function addClause(plan: SearchPlan, clause: SearchClause, last: boolean): void {
  switch (clause.kind) {
    case 'word':
      return addGroup(plan, clause, { text: clause.text, prefix: last, exact: false, field: 'any' });
    case 'phrase':
      return addGroup(plan, clause, { text: clause.text, prefix: clause.open, exact: true, field: 'any' });
    case 'title':
    case 'url':
      return addGroup(plan, clause, {
        text: clause.value,
        prefix: !clause.negated,
        exact: true,
        field: clause.kind,
      });
    case 'archived':
      plan.archived = !clause.negated;
      return undefined;
    case 'before':
    case 'after':
      return addDate(plan, (clause.kind === 'before') !== clause.negated, clause.value);
    default:
      return addFacet(plan, {
        facet: clause.kind,
        values: [foldText(clause.value)],
        negated: clause.negated,
      });
  }
}

// A memory has one type and one origin, so asking for two of them can only mean either; tags and spaces must all be met.
function addFacet(plan: SearchPlan, test: FacetTest): void {
  const single = test.facet === 'type' || test.facet === 'origin';
  const same = plan.facets.find((each) => single && !each.negated && each.facet === test.facet);
  if (same && !test.negated) same.values.push(...test.values);
  else plan.facets.push(test);
}

function addGroup(
  plan: SearchPlan,
  { negated }: { negated: boolean },
  { text, ...rest }: Omit<TermGroup, 'terms'> & { text: string },
): void {
  const terms = queryTermsOf(rest.field === 'url' ? urlText(text) : text);
  const last = terms.at(-1);
  if (last === undefined) return;
  const prefix = (rest.prefix && !negated) || isLoneIdeograph(last);
  (negated ? plan.excluded : plan.required).push({ ...rest, terms, prefix });
}

function addDate(plan: SearchPlan, before: boolean, value: string): void {
  const time = dateClauseTime(value);
  if (time === undefined) return;
  if (before) plan.until = Math.min(plan.until, time);
  else plan.from = Math.max(plan.from, time);
}

/** The searchable part of an address: without scheme and `www.`, which every address shares. */
export function urlText(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^www\./i, '');
}

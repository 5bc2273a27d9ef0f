/** Distinguishes questions from keywords, and the subject of a question from the words that any question may have. Pure. */
import type { SearchPlan } from '../memories/search-plan.ts';
import { termsOf } from '../memories/text-analysis.ts';

/** English and German words that form a question but are not its subject; none that can also be a noun. */
const FUNCTION_WORDS = new Set(
  termsOf(
    'a about above after again against am an and any are as at be because been before being below between both but by can could ' +
      'did do does doing don down during each few for from further get give had has have having he her hers herself him himself ' +
      'his how i if in into is it its itself just know ll make many me mine more most much must my myself need no nor not of off ' +
      'on once one only or other our ours ourselves out over own please s same say she should show so some such t tell than that ' +
      'the their theirs them themselves then there these they this those through to too under until up us use ve very want was ' +
      'way we were what when where which while who whom whose why will with would write you your yours yourself yourselves ' +
      'aber als auf aus bei das dem der des doch ein eine einem einen einer es für habe haben ich ihr im ist kann mein meine mir ' +
      'mit nach nicht noch oder sich sie sind über um und uns unser von warum wann wer wie wir wird wo zu zum zur',
  ),
);

export const isFunctionWord = (term: string): boolean => FUNCTION_WORDS.has(term);

/** So many words are a question, or a sentence that is half remembered. */
const QUESTION_WORDS = 4;

/** Topic of a question: its words without function words, unless it has no others; undefined for keywords. */
export function subjectOf(plan: SearchPlan): SearchPlan | undefined {
  if (plan.required.filter((group) => !group.exact).length < QUESTION_WORDS) return undefined;
  const required = plan.required.filter(({ terms, exact }) => exact || !terms.every(isFunctionWord));
  return required.length > 0 ? { ...plan, required } : plan;
}

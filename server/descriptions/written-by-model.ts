/** What a language model writes about texts: one object in JSON for one prompt. */
import type { z } from 'zod';
import type { Id } from '#shared/ids.ts';
import type { Context } from '../context.ts';
import { TIMEOUTS } from '../limits.ts';
import { AnswerModelError, type AnswerFault, type AnswerModel } from '../providers/answer-model.ts';
import { answeringModel, findAnswering } from '../threads/service.ts';

/** Far more than is asked for. */
const CHARACTERS_MAX = 8_000;

/** Faults that another try may not have, and those of one text. */
const PASSING: ReadonlySet<AnswerFault> = new Set(['busy', 'timeout', 'network']);
const OF_TEXT: ReadonlySet<AnswerFault> = new Set(['broken', 'declined', 'empty', 'too_large']);

export const isPassing = (error: unknown): boolean =>
  error instanceof AnswerModelError && PASSING.has(error.fault);

/** The model that may write about the texts of a workspace; undefined where owners and admins have not allowed it. */
export async function describingModel(
  context: Context,
  workspaceId: Id<'workspace'>,
): Promise<AnswerModel | undefined> {
  const settings = await findAnswering(context, workspaceId);
  return settings?.describes === true ? answeringModel(context, workspaceId) : undefined;
}

/** Undefined when the model wrote something else, or nothing. @throws AnswerModelError */
export async function writeObject<T>(
  model: AnswerModel,
  { instructions, about, schema }: { instructions: string; about: object; schema: z.ZodType<T> },
): Promise<T | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), TIMEOUTS.description);
  let written = '';
  try {
    for await (const piece of model.write({ instructions, text: JSON.stringify(about) }, late.signal)) {
      written += piece;
      if (written.length > CHARACTERS_MAX) break;
    }
  } catch (error) {
    if (error instanceof AnswerModelError && OF_TEXT.has(error.fault)) return undefined;
    throw error;
  } finally {
    clearTimeout(timer);
  }
  if (late.signal.aborted) throw new AnswerModelError('timeout');
  try {
    // Some models frame their JSON with a fence or a sentence.
    const value: unknown = JSON.parse(written.slice(written.indexOf('{'), written.lastIndexOf('}') + 1));
    return schema.safeParse(value).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

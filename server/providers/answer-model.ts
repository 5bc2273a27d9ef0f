/**
 * The language model that writes answers, behind any interface of the SDK. Text in, text out: no tools, no addresses to fetch.
 * Its errors are mapped to a few faults, so that neither the key nor the input can be in a log.
 */
import type { LanguageModel } from 'ai';
import { ANSWERS } from '#shared/threads/limits.ts';
import type { Config } from '../config.ts';
import { TIMEOUTS } from '../limits.ts';
import { createServiceFetch, isTokenCount, serviceFault } from './service-fetch.ts';

/**
 * Why there is no answer. refused = key or request were not accepted; busy = too many requests; timeout; too_large; broken = an
 * invalid or incomplete answer; declined = the service or its filter would not answer this; network; empty; blocked = an address that must not be reached; limit = the workspace has used
 * its calls of this month; sealed = the stored key cannot be read.
 */
export type AnswerFault =
  | 'refused'
  | 'busy'
  | 'timeout'
  | 'too_large'
  | 'broken'
  | 'declined'
  | 'network'
  | 'empty'
  | 'blocked'
  | 'limit'
  | 'sealed';

export class AnswerModelError extends Error {
  readonly fault: AnswerFault;

  /** Without a cause: errors of the SDK hold the request. */
  constructor(fault: AnswerFault) {
    super(`The language model did not answer (${fault})`);
    this.name = 'AnswerModelError';
    this.fault = fault;
  }
}

interface AnswerPrompt {
  instructions: string;
  /** The question with its passages. */
  text: string;
}

export interface AnswerModel {
  /** Its name, and the host that it runs on. */
  name: string;
  host: string;
  /**
   * Streams the answer. Retries a failure before the first piece where that is safe; later ones are not retried. Ends
   * early, without an error, when the signal aborts. Calls `onUsage` at the end if the service reports its tokens.
   * @throws AnswerModelError
   */
  write(prompt: AnswerPrompt, signal: AbortSignal, onUsage?: UsageListener): AsyncGenerator<string>;
}

type UsageListener = (usage: { tokensIn: number; tokensOut: number }) => void;

/** Where a model is, and what it wants to see. */
export type AnswerService = NonNullable<Config['answers']>;

/** Tries of one request, before its first piece. */
const RETRIES = 2;

export function createAnswerModel(
  settings: Config['answers'],
  limits: ModelLimits = {},
): AnswerModel | undefined {
  return settings && answerModelAt(settings, limits);
}

interface ModelLimits {
  limitMs?: number;
  silenceMs?: number;
  /** The way to the service. */
  fetch?: typeof globalThis.fetch;
}

/** The model of a service; opens no connection before its first answer. */
export function answerModelAt(
  settings: AnswerService,
  { limitMs = TIMEOUTS.answer, silenceMs = TIMEOUTS.answerWord, fetch = globalThis.fetch }: ModelLimits = {},
): AnswerModel {
  return {
    name: settings.model,
    host: new URL(settings.url).host,
    async *write(prompt, signal, onUsage) {
      // Not composed of signals: Node 24 forgets that a composed signal was aborted when its sources are collected.
      const late = new AbortController();
      const limit = setTimeout(() => late.abort(), limitMs);
      const silence = setTimeout(() => late.abort(), silenceMs);
      // A reader that stops early ends the request.
      const left = new AbortController();
      let isEmpty = true;
      try {
        const over = AbortSignal.any([signal, late.signal, left.signal]);
        for await (const piece of piecesOf(settings, prompt, { signal: over, onUsage, fetch })) {
          silence.refresh();
          isEmpty = false;
          yield piece;
        }
      } catch (error) {
        if (signal.aborted) return;
        throw late.signal.aborted ? new AnswerModelError('timeout') : error;
      } finally {
        clearTimeout(limit);
        clearTimeout(silence);
        left.abort();
      }
      if (isEmpty && !signal.aborted) throw new AnswerModelError('empty');
    },
  };
}

async function* piecesOf(
  settings: AnswerService,
  { instructions, text }: AnswerPrompt,
  {
    signal,
    onUsage,
    fetch,
  }: {
    signal: AbortSignal;
    onUsage: UsageListener | undefined;
    fetch: typeof globalThis.fetch;
  },
) {
  // The SDK is large, and most servers answer without a model.
  const { streamText } = await import('ai');
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const { fullStream } = streamText({
    model: await languageModel(settings, fetch),
    system: instructions,
    prompt: text,
    maxOutputTokens: ANSWERS.modelTokensMax,
    maxRetries: RETRIES,
    abortSignal: signal,
    // Its default writes the whole error, with the request, to the console.
    onError: () => undefined,
  });
  let isFinished = false;
  try {
    for await (const part of fullStream) {
      if (part.type === 'text-delta' && part.text !== '') yield part.text;
      else if (part.type === 'error') throw part.error;
      else if (part.type === 'abort') throw new AnswerModelError('timeout');
      // A connection that closes in the middle of an answer finishes for no reason.
      else if (part.type === 'finish') {
        isFinished = part.rawFinishReason !== undefined;
        if (part.finishReason === 'content-filter') throw new AnswerModelError('declined');
        // Cut off by the service at the greatest length.
        if (part.finishReason === 'length') yield '…';
        const { inputTokens, outputTokens } = part.totalUsage;
        if (isTokenCount(inputTokens) && isTokenCount(outputTokens))
          onUsage?.({ tokensIn: inputTokens, tokensOut: outputTokens });
      }
    }
  } catch (error) {
    throw await asFault(error);
  }
  if (!isFinished) throw new AnswerModelError('broken');
}

async function languageModel(
  { provider, url, model, apiKey }: AnswerService,
  send: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const side = {
    baseURL: url.replace(/\/+$/, ''),
    fetch: createServiceFetch(url, ANSWERS.modelBytesMax, send),
    ...(apiKey !== undefined && { apiKey }),
  };
  switch (provider) {
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(side)(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(side)(model);
    default:
      return (await import('@ai-sdk/openai-compatible')).createOpenAICompatible({
        ...side,
        fetch: withoutStreamOptions(side.fetch),
        name: 'answers',
        includeUsage: true,
      })(model);
  }
}

/**
 * Asks once more without `stream_options` where a service refuses the request: some that speak the interface of OpenAI do not
 * know the field, and its only purpose here are exact counts of tokens.
 */
function withoutStreamOptions(send: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await send(input, init);
    if ((answer.status !== 400 && answer.status !== 422) || typeof init?.body !== 'string') return answer;
    await answer.body?.cancel();
    const { stream_options: _refused, ...body }: Record<string, unknown> = JSON.parse(init.body);
    return send(input, { ...init, body: JSON.stringify(body) });
  };
}

const EGRESS_FAULTS = { too_large: 'too_large', blocked: 'blocked', off: 'blocked' } as const;

async function asFault(error: unknown): Promise<AnswerModelError> {
  if (error instanceof AnswerModelError) return error;
  const { RetryError } = await import('ai');
  const last = RetryError.isInstance(error) ? error.lastError : error;
  return new AnswerModelError(await serviceFault(last, EGRESS_FAULTS));
}

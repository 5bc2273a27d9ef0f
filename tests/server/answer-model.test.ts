/** The way to a language model, against a server that speaks its protocol well and badly. */
import { once } from 'node:events';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ConfigError, parseConfig } from '#server/config.ts';
import { AnswerModelError, createAnswerModel } from '#server/providers/answer-model.ts';
import { AnswerText } from '#server/threads/answer-text.ts';
import { ANSWERS } from '#shared/threads/limits.ts';
import { newId } from '#shared/ids.ts';
import {
  SERVICE_KEY,
  serviceEnv,
  startAnswerService,
  type AnswerService,
} from '#tests/support/answer-service.ts';

let service: AnswerService;
beforeAll(async () => {
  service = await startAnswerService();
});
afterAll(() => service.close());

const PROMPT = { instructions: 'Answer.', text: 'How high is it?' };

async function write(
  limits = {},
  env: Record<string, string> = {},
  onUsage?: (usage: object) => void,
): Promise<string> {
  const model = createAnswerModel(parseConfig({ ...serviceEnv(service), ...env }).answers, limits);
  const { signal } = new AbortController();
  const pieces: string[] = [];
  for await (const piece of model?.write(PROMPT, signal, onUsage) ?? []) pieces.push(piece);
  return pieces.join('');
}

async function faultOf(limits = {}, env: Record<string, string> = {}): Promise<string> {
  const failure = await write(limits, env).catch((error: unknown) => error);
  if (!(failure instanceof AnswerModelError)) throw new Error(`No fault: ${inspect(failure)}`);
  expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(SERVICE_KEY);
  return failure.fault;
}

describe('a language model', () => {
  it('that is busy for a moment is asked again, and one that stays busy is not asked for ever', async () => {
    let asked = 0;
    service.behave((reply) => {
      asked += 1;
      if (asked === 1) return reply.refuse(429, 'Slow down', { 'retry-after-ms': '1' });
      reply.say('Now.');
      reply.finish();
    });
    expect(await write()).toBe('Now.');
    service.requests.length = 0;
    service.behave((reply) => reply.refuse(429, SERVICE_KEY, { 'retry-after-ms': '1' }));
    expect(await faultOf()).toBe('busy');
    expect(service.requests).toHaveLength(3);
  });

  it('that refuses the key is asked once, and its words go nowhere', async () => {
    const written = vi.spyOn(console, 'error');
    service.requests.length = 0;
    service.behave((reply) => reply.refuse(401, `Incorrect API key provided: ${SERVICE_KEY}`));
    expect(await faultOf()).toBe('refused');
    expect(service.requests).toHaveLength(1);
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
  });

  it('that breaks off is not asked again', async () => {
    service.requests.length = 0;
    service.behave((reply) => {
      reply.say('Half of');
      reply.res.end();
    });
    expect(await faultOf()).toBe('broken');
    expect(service.requests).toHaveLength(1);
  });

  it('that falls silent, or never comes to an end, is left', async () => {
    service.behave((reply) => reply.say('Let me think'));
    expect(await faultOf({ silenceMs: 150 })).toBe('timeout');
    service.behave(async (reply) => {
      const closed = once(reply.res, 'close');
      const timer = setInterval(() => reply.say('and '), 20);
      await closed;
      clearInterval(timer);
    });
    expect(await faultOf({ limitMs: 300 })).toBe('timeout');
  });

  it('that sends more than an answer can be is left', async () => {
    service.behave((reply) => {
      const much = ': '.padEnd(1024 * 1024, 'x');
      for (let sent = 0; sent <= ANSWERS.modelBytesMax; sent += much.length) reply.raw(`${much}\n\n`);
      reply.finish();
    });
    expect(await faultOf()).toBe('too_large');
  });

  it('cannot send the key elsewhere by a redirect', async () => {
    const other = await startAnswerService();
    service.behave((reply) => {
      reply.res.writeHead(307, { location: `${other.url}/chat/completions` });
      reply.res.end();
    });
    expect(await faultOf()).toBe('network');
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('that is not there is a fault', async () => {
    const gone = await startAnswerService();
    await gone.close();
    await expect(write({ limitMs: 500 }, { ANSWERS_URL: gone.url })).rejects.toThrow(AnswerModelError);
  });
});

describe.each([
  ['openai-compatible', 'authorization', `Bearer ${SERVICE_KEY}`, '/v1/chat/completions'],
  ['anthropic', 'x-api-key', SERVICE_KEY, '/v1/messages'],
  ['google', 'x-goog-api-key', SERVICE_KEY, '/v1/models/parrot:streamGenerateContent?alt=sse'],
] as const)('a model behind the interface of %s', (provider, header, key, path) => {
  const env = { ANSWERS_PROVIDER: provider };

  it('answers piece by piece, with its tokens, to a request that has the key and no tools', async () => {
    service.behave((reply) => {
      for (const piece of ['It is ', 'high', '.']) reply.say(piece);
      reply.finish({ prompt_tokens: 11, completion_tokens: 5 });
    });
    service.requests.length = 0;
    const tokens: unknown[] = [];
    expect(await write({}, env, (usage) => tokens.push(usage))).toBe('It is high.');
    expect(tokens).toEqual([{ tokensIn: 11, tokensOut: 5 }]);
    expect(service.requests).toMatchObject([{ path, headers: { [header]: key } }]);
    expect(service.requests[0]?.body.tools).toBeUndefined();
    expect(JSON.stringify(service.requests[0]?.body)).toContain(PROMPT.text);
  });

  it('that is slow is waited for while it goes on', async () => {
    service.behave(async (reply) => {
      for (const piece of ['It ', 'is ', 'so', '.']) {
        reply.say(piece);
        await new Promise((resolve) => setTimeout(resolve, 60));
      }
      reply.finish();
    });
    // Longer in all than it may be silent.
    expect(await write({ silenceMs: 150 }, env)).toBe('It is so.');
    service.behave((reply) => reply.say('It '));
    expect(await faultOf({ silenceMs: 150 }, env)).toBe('timeout');
  });

  it('that is cut off, or sends what is none of its answers, is a fault', async () => {
    service.behave((reply) => {
      reply.say('Half of');
      reply.res.end();
    });
    expect(await faultOf({}, env)).toBe('broken');
    service.behave((reply) => {
      reply.say('Half of');
      setImmediate(() => reply.res.destroy());
    });
    expect(['broken', 'network']).toContain(await faultOf({}, env));
    for (const text of [
      'data: {"so": [\n\n',
      'data: {"hello": "world"}\n\n',
      '<!doctype html><title>Log in</title>',
    ]) {
      service.behave((reply) => {
        reply.raw(text);
        reply.res.end();
      });
      // The client of Anthropic takes a stream without a first event for a failure of the way.
      expect(['broken', 'network']).toContain(await faultOf({}, env));
    }
    service.behave((reply) => reply.finish());
    expect(await faultOf({}, env)).toBe('empty');
  });

  it.each([
    [429, 'busy', 3],
    [500, 'network', 3],
    [401, 'refused', 1],
  ])('that answers %i is %s after %i requests', async (status, fault, requests) => {
    service.requests.length = 0;
    service.behave((reply) => reply.refuse(status, SERVICE_KEY, { 'retry-after-ms': '1' }));
    expect([await faultOf({}, env), service.requests.length]).toEqual([fault, requests]);
  });

  it('that declines, also after it has begun, has not answered', async () => {
    service.behave((reply) => reply.finish(undefined, 'declined'));
    expect(await faultOf({}, env)).toBe('declined');
    service.behave((reply) => {
      reply.say('To do that you would');
      reply.finish(undefined, 'declined');
    });
    expect(await faultOf({}, env)).toBe('declined');
  });

  it('that reaches its greatest length ends with an ellipsis', async () => {
    service.behave((reply) => {
      reply.say('It is high because');
      reply.finish(undefined, 'length');
    });
    expect(await write({}, env)).toBe('It is high because…');
  });
});

describe('its configuration', () => {
  const problemOf = (env: Record<string, string>) => {
    try {
      parseConfig(env);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems.join('\n');
      throw error;
    }
    return undefined;
  };
  const whole = { ANSWERS_PROVIDER: 'anthropic', ANSWERS_MODEL: 'm', ANSWERS_API_KEY: 'k' };

  it('is whole or not there', () => {
    expect(parseConfig({}).answers).toBeUndefined();
    expect(parseConfig(whole).answers).toMatchObject({ url: 'https://api.anthropic.com/v1', model: 'm' });
    const local = { ANSWERS_PROVIDER: 'openai-compatible', ANSWERS_MODEL: 'm' };
    expect(parseConfig({ ...local, ANSWERS_URL: 'http://localhost:1/v1' }).answers?.apiKey).toBeUndefined();
    expect(problemOf({ ANSWERS_API_KEY: 'secret' })).toBe(
      'ANSWERS_API_KEY: must be set together with ANSWERS_PROVIDER',
    );
    expect(problemOf({ ...whole, ANSWERS_MODEL: '' })).toContain('ANSWERS_MODEL');
    expect(problemOf({ ...whole, ANSWERS_API_KEY: '' })).toContain('ANSWERS_API_KEY');
    expect(problemOf(local)).toContain('ANSWERS_URL');
    expect(problemOf({ ...whole, ANSWERS_PROVIDER: 'parrot' })).toContain('ANSWERS_PROVIDER');
    expect(problemOf({ ...whole, ANSWERS_URL: 'https://me:word@host.example' })).toContain('ANSWERS_URL');
  });

  it('does not let the key travel unencrypted in production', () => {
    const production = { ...whole, LOCI_ENV: 'production', APP_ORIGIN: 'https://loci.example' };
    expect(problemOf({ ...production, ANSWERS_URL: 'http://models.example/v1' })).toContain('https://');
    expect(problemOf({ ...production, ANSWERS_URL: 'http://127.0.0.1:11434/v1' })).toBeUndefined();
  });
});

describe('the text of a model', () => {
  const passages = ['one', 'two', 'three'].map((quote) => ({ memoryId: newId('memory'), quote }));
  const read = (pieces: readonly string[], limit = 1_000) => {
    const answer = new AnswerText(passages, limit);
    const seen: string[] = [];
    for (const piece of pieces) {
      answer.push(piece);
      seen.push(answer.text);
    }
    answer.end();
    for (const text of seen) expect(answer.text.startsWith(text)).toBe(true);
    return { text: answer.text, quotes: answer.citations.map(({ quote }) => quote) };
  };
  /** However it is cut, the result is the same. */
  const readAllWays = (text: string) => {
    const whole = read([text]);
    expect(read([...text])).toEqual(whole);
    for (let at = 1; at < text.length; at += 1)
      expect(read([text.slice(0, at), text.slice(at)])).toEqual(whole);
    return whole;
  };

  it('numbers sources in the order in which it names them', () => {
    expect(readAllWays('A [3]. B [1, 3]. C \\[2\\]!')).toEqual({
      text: 'A \\[1\\]. B \\[2\\]\\[1\\]. C \\[3\\]!',
      quotes: ['three', 'one', 'two'],
    });
  });

  it('leaves out references to nothing', () => {
    expect(readAllWays('A [9], B [0] and C [1;77].')).toEqual({
      text: 'A, B and C \\[1\\].',
      quotes: ['one'],
    });
    expect(readAllWays('a [x], a[12345], [ ] and [')).toEqual({
      text: 'a [x], a[12345], [ ] and [',
      quotes: [],
    });
  });

  it.each([
    '![secret](https://evil.example/?q=1)',
    '[click](https://evil.example)',
    '[1](https://evil.example)',
    'x][9](https://evil.example)',
    '[a]: https://evil.example',
    '[a]\u0001(https://evil.example)',
    '[a]\u0000: https://evil.example',
  ])('has no link or image: %s', (text) => {
    const { text: safe } = readAllWays(text);
    expect(safe).not.toMatch(/(?<!\\)\][(:]/);
    expect(safe).toContain('https://evil.example');
  });

  it('keeps whole characters and its limit', () => {
    expect(read(['a\ud83d', '\ude00b']).text).toBe('a😀b');
    expect(read(['abc😀'], 4).text).toBe('abc');
    expect(read([' '.repeat(5_000_000), '['.repeat(5_000_000)], 12_000).text.length).toBeLessThanOrEqual(
      12_000,
    );
  });
});

/**
 * A language model as the network sees it: a local HTTP server that speaks the streaming protocols of OpenAI's chat
 * completions, of Anthropic's messages and of Google's generateContent, and as badly as a test wants.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

/** What it was asked. */
export interface ServiceRequest {
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: {
    model?: string;
    stream?: boolean;
    tools?: unknown;
    messages?: { role: string; content: unknown }[];
  };
}

type Maker = 'openai-compatible' | 'anthropic' | 'google';
type End = 'stop' | 'length' | 'declined';

interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
}

/** The events of a stream as a maker writes them. */
interface Protocol {
  open(): object[];
  say(text: string): object[];
  finish(end: End, usage: Usage | undefined): object[];
  /** The body of an HTTP error. */
  refusal(status: number, message: string): object;
  last: string;
}

const chunk = (data: object) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'parrot',
  ...data,
});

const PROTOCOLS: Readonly<Record<Maker, Protocol>> = {
  'openai-compatible': {
    open: () => [],
    say: (content) => [chunk({ choices: [{ index: 0, delta: { role: 'assistant', content } }] })],
    finish(end, usage) {
      const finish_reason = { stop: 'stop', length: 'length', declined: 'content_filter' }[end];
      const total_tokens = (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0);
      return [
        chunk({ choices: [{ index: 0, delta: {}, finish_reason }] }),
        ...(usage === undefined ? [] : [chunk({ choices: [], usage: { ...usage, total_tokens } })]),
      ];
    },
    refusal: (status, message) => ({ error: { message, type: 'error', code: String(status) } }),
    last: 'data: [DONE]\n\n',
  },
  anthropic: {
    open: () => [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'parrot',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 7, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
    ],
    say: (text) => [{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }],
    finish: (end, usage) => [
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: {
          stop_reason: { stop: 'end_turn', length: 'max_tokens', declined: 'refusal' }[end],
          stop_sequence: null,
        },
        usage: { input_tokens: usage?.prompt_tokens ?? 7, output_tokens: usage?.completion_tokens ?? 3 },
      },
      { type: 'message_stop' },
    ],
    refusal: (_status, message) => ({ type: 'error', error: { type: 'api_error', message } }),
    last: '',
  },
  google: {
    open: () => [],
    say: (text) => [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] } }] }],
    finish: (end, usage) => [
      {
        candidates: [
          {
            index: 0,
            content: { role: 'model', parts: [{ text: '' }] },
            finishReason: { stop: 'STOP', length: 'MAX_TOKENS', declined: 'SAFETY' }[end],
          },
        ],
        usageMetadata: {
          promptTokenCount: usage?.prompt_tokens ?? 7,
          candidatesTokenCount: usage?.completion_tokens ?? 3,
          totalTokenCount: 10,
        },
      },
    ],
    refusal: (code, message) => ({ error: { code, message, status: 'UNAVAILABLE' } }),
    last: '',
  },
};

/** The response to one request, event by event. */
export class ServiceReply {
  readonly res: ServerResponse;
  readonly #protocol: Protocol;
  constructor(res: ServerResponse, maker: Maker) {
    this.res = res;
    this.#protocol = PROTOCOLS[maker];
  }

  /** A piece of text; opens the stream. */
  say(text: string): void {
    this.#send(this.#protocol.say(text));
  }

  /** The regular end or another one, with the tokens that were used where the service reports them. */
  finish(usage?: Usage, end: End = 'stop'): void {
    this.#send(this.#protocol.finish(end, usage));
    this.res.end(this.#protocol.last);
  }

  /** Anything else. */
  raw(text: string): void {
    if (!this.res.headersSent) this.res.writeHead(200, { 'content-type': 'text/event-stream' });
    this.res.write(text);
  }

  /** Refuses as the maker does. */
  refuse(status: number, message: string, headers: Record<string, string> = {}): void {
    this.res.writeHead(status, { 'content-type': 'application/json', ...headers });
    this.res.end(JSON.stringify(this.#protocol.refusal(status, message)));
  }

  #send(events: readonly object[]): void {
    const opening = this.res.headersSent ? [] : this.#protocol.open();
    for (const event of [...opening, ...events]) {
      const name = 'type' in event ? `event: ${String(event.type)}\n` : '';
      this.raw(`${name}data: ${JSON.stringify(event)}\n\n`);
    }
  }
}

type Behaviour = (reply: ServiceReply, request: ServiceRequest) => void | Promise<void>;

export interface AnswerService {
  /** For ANSWERS_URL. */
  url: string;
  requests: ServiceRequest[];
  /** What it does from now on. */
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export const SERVICE_KEY = 'sk-very-secret-key-of-the-operator';

/** The environment of a server that uses it. */
export const serviceEnv = ({ url }: Pick<AnswerService, 'url'>) => ({
  ANSWERS_PROVIDER: 'openai-compatible',
  ANSWERS_URL: url,
  ANSWERS_MODEL: 'parrot',
  ANSWERS_API_KEY: SERVICE_KEY,
});

/** Each maker has an address of its own. */
function makerOf(path: string): Maker {
  if (path.endsWith('/messages')) return 'anthropic';
  return path.includes(':streamGenerateContent') ? 'google' : 'openai-compatible';
}

/** Starts it; until told otherwise, it repeats the first passage. */
export async function startAnswerService(): Promise<AnswerService> {
  const requests: ServiceRequest[] = [];
  let behaviour: Behaviour = (reply) => {
    reply.say('It says so [1].');
    reply.finish();
  };
  const server = createServer((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
      const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
      const request = { path: req.url ?? '', headers: req.headers, body };
      requests.push(request);
      await behaviour(new ServiceReply(res, makerOf(request.path)), request);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port');
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    behave: (next) => {
      behaviour = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * A language model as the network sees it: a local HTTP server that speaks the streaming protocol of OpenAI's chat
 * completions, and as badly as a test wants.
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

/** The response to one request, event by event. */
export class ServiceReply {
  readonly res: ServerResponse;
  constructor(res: ServerResponse) {
    this.res = res;
  }

  /** A piece of text; opens the stream. */
  say(text: string): void {
    this.#event({ choices: [{ index: 0, delta: { role: 'assistant', content: text } }] });
  }

  /** The regular end, with the tokens that were used where the service reports them. */
  finish(usage?: { prompt_tokens: number; completion_tokens: number }): void {
    this.#event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    if (usage !== undefined)
      this.#event({
        choices: [],
        usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
      });
    this.res.end('data: [DONE]\n\n');
  }

  /** Anything else. */
  raw(text: string): void {
    if (!this.res.headersSent) this.res.writeHead(200, { 'content-type': 'text/event-stream' });
    this.res.write(text);
  }

  /** Refuses as OpenAI does. */
  refuse(status: number, message: string, headers: Record<string, string> = {}): void {
    this.res.writeHead(status, { 'content-type': 'application/json', ...headers });
    this.res.end(JSON.stringify({ error: { message, type: 'error', code: String(status) } }));
  }

  #event(data: object): void {
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'parrot', ...data };
    this.raw(`data: ${JSON.stringify(chunk)}\n\n`);
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
      await behaviour(new ServiceReply(res), request);
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

// Who writes the answers of a workspace, as owners and admins choose it.
import { z } from 'zod';
import { LIMITS } from '../constants.ts';
import { text, timestamp, webUrl } from '../define/fields.ts';

/** The server's own model, none at all, or a service that the workspace has an account with. */
const ANSWERING_PROVIDERS = ['server', 'none', 'openai-compatible', 'anthropic', 'google'] as const;
export type AnsweringProvider = (typeof ANSWERING_PROVIDERS)[number];

/** Whether the workspace names the service itself. */
export function isOwnService(
  provider: AnsweringProvider,
): provider is Exclude<AnsweringProvider, 'server' | 'none'> {
  return provider !== 'server' && provider !== 'none';
}

const KEY_MAX = 1_000;

/** Visible characters only: it is sent in a header. */
const apiKey = z
  .string()
  .max(KEY_MAX, `At most ${KEY_MAX} characters`)
  .regex(/^[\x21-\x7e]+$/, 'May hold letters, digits and signs, without spaces');

export const answeringBody = z
  .object({
    provider: z.enum(ANSWERING_PROVIDERS),
    /** Base address of the interface; for `openai-compatible` alone. */
    url: webUrl.nullable().default(null),
    model: text(LIMITS.name).trim().min(1, 'Required').nullable().default(null),
    /** Whether the model also writes titles, summaries and tags of new memories, and names of threads. */
    describes: z.boolean().default(false),
    /** Undefined: the stored key, if it was entered for the same service. Null: none. */
    apiKey: apiKey.nullable().optional(),
  })
  .superRefine(({ provider, url, model }, context) => {
    const say = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (provider === 'openai-compatible' && url === null) say('url', 'Required');
    if (provider !== 'openai-compatible' && url !== null) say('url', 'Only for an address of your own');
    if (isOwnService(provider) && model === null) say('model', 'Required');
  });
export type AnsweringBody = z.output<typeof answeringBody>;

export const answeringSettings = z
  .object({
    provider: z.enum(ANSWERING_PROVIDERS),
    url: z.string().nullable(),
    model: z.string().nullable(),
    describes: z.boolean(),
    /** Whether a key is stored, and its last four characters where it is long enough to show them. */
    hasKey: z.boolean(),
    keyEnd: z.string().nullable(),
    /** Model of the choice `server`; null where the server has none. */
    server: z.object({ name: z.string(), host: z.string() }).nullable(),
    /** The embedding model that texts of memories and searches are sent to, unless `none` is chosen; null without one. */
    embedding: z.object({ name: z.string(), host: z.string() }).nullable(),
    /** False where this server cannot store keys, because its operator has set none to encrypt them with. */
    keepsKeys: z.boolean(),
    updated: timestamp.nullable(),
  })
  .meta({ id: 'AnsweringSettings' });
export type AnsweringSettings = z.output<typeof answeringSettings>;

/** Result of a test prompt to a service. */
export const answeringTest = z.object({
  /** Answer of the model; null when it failed. */
  answer: z.string().nullable(),
  /** Why it did not, in a sentence. */
  problem: z.string().nullable(),
});
export type AnsweringTest = z.output<typeof answeringTest>;

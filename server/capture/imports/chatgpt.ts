// ChatGPT: conversations.json, alone or in the zip of a data export. Each conversation is a tree of messages; the branch
// that was last open is what the person saw.
import { z } from 'zod';
import { conversationsIn, conversationText, type Turn } from './conversation.ts';
import { itemKey, timeOf, type ImportFormat } from './format.ts';

const message = z.object({
  author: z.object({ role: z.string() }),
  recipient: z.string().nullish(),
  content: z.looseObject({
    content_type: z.string().nullish(),
    // Pictures are objects between the texts.
    parts: z.array(z.unknown()).nullish(),
    text: z.string().nullish(),
  }),
  metadata: z.looseObject({ is_visually_hidden_from_conversation: z.boolean().nullish() }).nullish(),
});
const node = z.object({ parent: z.string().nullish(), message: z.unknown() });
const conversation = z.object({
  id: z.string().nullish(),
  conversation_id: z.string().nullish(),
  title: z.string().nullish(),
  create_time: z.number().nullish(),
  update_time: z.number().nullish(),
  current_node: z.string().nullish(),
  is_archived: z.boolean().nullish(),
  mapping: z.record(z.string(), node),
});
type Conversation = z.output<typeof conversation>;

const SPEAKERS: Readonly<Record<string, string>> = { user: 'You', assistant: 'ChatGPT' };
const SPOKEN: ReadonlySet<string> = new Set(['text', 'multimodal_text']);

function turnOf(value: unknown): Turn[] {
  const { author, recipient, content, metadata } = message.safeParse(value).data ?? {};
  const speaker = SPEAKERS[author?.role ?? ''];
  const isSpoken = SPOKEN.has(content?.content_type ?? 'text') && (recipient ?? 'all') === 'all';
  if (speaker === undefined || !isSpoken || metadata?.is_visually_hidden_from_conversation) return [];
  const parts = content?.parts ?? [];
  return [{ speaker, text: parts.filter((part) => typeof part === 'string').join('\n\n') }];
}

/** From the last message to the first one, over each message's parent. */
function turnsOf({ mapping, current_node }: Conversation): Turn[] {
  const nodes = new Map(Object.entries(mapping));
  const turns: Turn[][] = [];
  const seen = new Set<string>();
  let at = current_node ?? [...nodes.keys()].at(-1);
  while (at !== undefined && at !== null && !seen.has(at)) {
    seen.add(at);
    const here = nodes.get(at);
    turns.push(turnOf(here?.message));
    at = here?.parent ?? undefined;
  }
  return turns.toReversed().flat();
}

function itemOf(value: unknown) {
  const given = conversation.parse(value);
  const id = given.conversation_id ?? given.id ?? itemKey(String(given.create_time), given.title ?? '');
  return {
    key: itemKey('chatgpt', id),
    title: given.title?.trim() || 'Conversation',
    url: null,
    text: conversationText(turnsOf(given)),
    tags: [],
    folders: [],
    created: timeOf(given.create_time),
    updated: timeOf(given.update_time),
    archived: given.is_archived ?? false,
  };
}

const titled = z.object({ title: z.string() });

export const chatgpt: ImportFormat = {
  id: 'chatgpt',
  sources: (_upload, files) =>
    conversationsIn(files, { titleOf: (value) => titled.safeParse(value).data?.title, itemOf }),
};

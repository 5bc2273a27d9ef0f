// Claude: conversations.json, alone or in the zip of a data export.
import { z } from 'zod';
import { conversationsIn, conversationText, type Turn } from './conversation.ts';
import { itemKey, timeOf, type ImportFormat } from './format.ts';

const message = z.object({
  sender: z.string(),
  text: z.string().nullish(),
  content: z.array(z.looseObject({ type: z.string().nullish(), text: z.string().nullish() })).nullish(),
  attachments: z
    .array(z.looseObject({ file_name: z.string().nullish(), extracted_content: z.string().nullish() }))
    .nullish(),
});
const conversation = z.object({
  uuid: z.string(),
  name: z.string().nullish(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  chat_messages: z.array(z.unknown()),
});

const SPEAKERS: Readonly<Record<string, string>> = { human: 'You', assistant: 'Claude' };

function turnOf(value: unknown): Turn[] {
  const given = message.safeParse(value).data;
  const speaker = SPEAKERS[given?.sender ?? ''];
  if (given === undefined || speaker === undefined) return [];
  const blocks = (given.content ?? []).flatMap(({ type, text }) => (type === 'text' && text ? [text] : []));
  const words = blocks.length > 0 ? blocks.join('\n\n') : (given.text ?? '');
  const attached = (given.attachments ?? []).map(
    ({ file_name, extracted_content }) =>
      `*${file_name || 'Attachment'}*${extracted_content ? `\n\n${extracted_content}` : ''}`,
  );
  return [{ speaker, text: [words, ...attached].join('\n\n') }];
}

function itemOf(value: unknown) {
  const given = conversation.parse(value);
  return {
    key: itemKey('claude', given.uuid),
    title: given.name?.trim() || 'Conversation',
    url: null,
    text: conversationText(given.chat_messages.flatMap(turnOf)),
    tags: [],
    folders: [],
    created: timeOf(given.created_at),
    updated: timeOf(given.updated_at),
  };
}

const named = z.object({ name: z.string() });

export const claude: ImportFormat = {
  id: 'claude',
  sources: (_upload, files) =>
    conversationsIn(files, { titleOf: (value) => named.safeParse(value).data?.name, itemOf }),
};

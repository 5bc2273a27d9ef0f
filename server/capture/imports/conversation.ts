// A conversation with an assistant as one text: speakers and messages, in order.
import { z } from 'zod';
import { UnreadableFile } from '../unreadable-file.ts';
import { itemPath, type ImportItem, type ItemSource } from './format.ts';
import { requireShape } from './nested-folders.ts';
import { jsonOf, type UploadFile } from './upload.ts';

export interface Turn {
  speaker: string;
  text: string;
}

/** Turns of the same speaker in a row are one. @throws UnreadableFile when it is empty */
export function conversationText(turns: readonly Turn[]): string {
  const said: Turn[] = [];
  for (const { speaker, text } of turns) {
    const words = text.trim();
    const last = said.at(-1);
    if (words === '') continue;
    if (last?.speaker === speaker) last.text += `\n\n${words}`;
    else said.push({ speaker, text: words });
  }
  if (said.length === 0) throw new UnreadableFile('It has no messages');
  return said.map(({ speaker, text }) => `**${speaker}**\n\n${text}`).join('\n\n');
}

interface ConversationFormat {
  titleOf(conversation: unknown): string | undefined;
  /** @throws UnreadableFile */
  itemOf(conversation: unknown): ImportItem;
}

/** The conversations of files that are lists of them. @throws invalid for another file */
export async function conversationsIn(
  files: readonly UploadFile[],
  { titleOf, itemOf }: ConversationFormat,
): Promise<ItemSource[]> {
  const lists = await Promise.all(
    files.map(async (file) => requireShape(z.array(z.unknown()), await jsonOf(file), file.path)),
  );
  return lists.flat().map((conversation, index) => ({
    path: itemPath(titleOf(conversation)?.trim() || `Conversation ${index + 1}`),
    read: () => itemOf(conversation),
  }));
}

// A conversation with an assistant as one text: speakers and messages, in order.
import { UnreadableFile } from '../unreadable-file.ts';

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

/**
 * Exports a thread as a file: written by the server, which has all messages, or offline from those on this device.
 */
import { SYNC } from '#shared/sync/limits.ts';
import type { RenderMarkdown } from '#shared/markdown/render-task.ts';
import { memberCitationPath } from '#shared/member-citation-path.ts';
import { GONE_SOURCE } from '#shared/threads/source-words.ts';
import type { ExportFormat } from '#shared/threads/conversation.ts';
import { exportFile, exportName, type ExportedMessage } from '#shared/threads/export-file.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { citationsOf } from '#client/threads/queries.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { serverProblemOf, showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';

/** The formats with their labels in the menu. */
export const EXPORT_LABELS = [
  ['markdown', 'Markdown'],
  ['html', 'Web page'],
  ['text', 'Plain text'],
  ['json', 'JSON'],
] as const satisfies readonly (readonly [ExportFormat, string])[];

interface OnDevice {
  messages: readonly Message[];
  /** Titles of the cited memories that this person reads. */
  titles: ReadonlyMap<string, string>;
  /** Of the workspace, for links. */
  slug: string;
}

/** Loaded by the formats that need it, because offline it may be missing. */
const loadMarkdown = async () => (await import('#client/ui/markdown-queue.ts')).markdownQueue;
const markdown: RenderMarkdown = {
  trees: async (texts) => (await loadMarkdown()).trees(texts),
  sources: async (texts) => (await loadMarkdown()).sources(texts),
};

/** A message with its sources as far as this device has them. */
export function exportedMessage(
  message: Message,
  { titles, slug }: Pick<OnDevice, 'titles' | 'slug'>,
): ExportedMessage {
  const { id, role, content, createdAt } = message;
  const citations = citationsOf(message).map(({ memoryId, quote }, index) => {
    const title = titles.get(memoryId);
    const href = location.origin + memberCitationPath(slug, memoryId);
    return title === undefined
      ? { number: index + 1, title: GONE_SOURCE, href: null, quote: null }
      : { number: index + 1, title, href, quote };
  });
  return { id, role, content, citations, createdAt };
}

async function fromDevice(
  thread: Thread,
  { messages, ...place }: OnDevice,
  format: ExportFormat,
): Promise<string> {
  const shown = messages.map((message) => exportedMessage(message, place));
  const { id, name, summary } = thread;
  const include = { citations: true, timestamps: true };
  const exported = { thread: { id, name, summary }, messages: shown };
  const { text } = await exportFile(exported, { format, include }, markdown);
  return text;
}

/** From the server, or from what is on this device. */
export async function exportThread(thread: Thread, here: OnDevice, format: ExportFormat): Promise<void> {
  const name = exportName(thread.name, format);
  try {
    const body = { workspaceId: thread.workspaceId, threadId: thread.id, format };
    const { result } = await api('message.export', { body });
    downloadText(name, result);
  } catch (failure) {
    // A refusal of the server is final; without a response the file is made from this device.
    if (serverProblemOf(failure) !== undefined) {
      showProblem(failure);
      return;
    }
    console.info('threads: exported from this device', failure);
    downloadText(name, await fromDevice(thread, here, format));
    const { messages } = here;
    const isPart = messages.length >= SYNC.windowMessages;
    showToast({
      title: isPart ? `The newest ${messages.length} messages were exported` : 'Exported from this device',
      description: 'The server could not be reached; the thread may have more messages.',
    });
  }
}

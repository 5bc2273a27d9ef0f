/**
 * A thread as a file for the person: written by the server, which has all messages, or from those on this device when it
 * cannot be asked.
 */
import { SYNC } from '#shared/constants.ts';
import type { ExportFormat } from '#shared/threads/conversation.ts';
import { exportFile, exportName } from '#shared/threads/export-file.ts';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { serverProblemOf, showProblem } from '#client/shell/problem-toast.ts';
import { showToast } from '#client/shell/toasts.ts';

/** The forms in the words of the menu. */
export const EXPORT_LABELS = [
  ['markdown', 'Markdown'],
  ['html', 'Web page'],
  ['text', 'Plain text'],
  ['json', 'JSON'],
] as const satisfies readonly (readonly [ExportFormat, string])[];

function fromDevice(thread: Thread, messages: readonly Message[], format: ExportFormat): string {
  const shown = messages.map(({ id, role, content, createdAt }) => ({ id, role, content, createdAt }));
  const { id, name, summary } = thread;
  const include = { citations: true, timestamps: true };
  return exportFile({ thread: { id, name, summary }, messages: shown }, { format, include }).text;
}

/** `messages` are those on this device. */
export async function exportThread(
  thread: Thread,
  messages: readonly Message[],
  format: ExportFormat,
): Promise<void> {
  const name = exportName(thread.name, format);
  try {
    const body = { workspaceId: thread.workspaceId, threadId: thread.id, format };
    const { result } = await api('message.export', { body });
    downloadText(name, result);
  } catch (failure) {
    // What the server refuses, it refuses for a reason; no answer at all means that this device must do.
    if (serverProblemOf(failure) !== undefined) {
      showProblem(failure);
      return;
    }
    console.info('threads: exported from this device', failure);
    downloadText(name, fromDevice(thread, messages, format));
    const isPart = messages.length >= SYNC.windowMessages;
    showToast({
      title: isPart ? `The newest ${messages.length} messages were exported` : 'Exported from this device',
      description: 'The server could not be asked; it may have more messages of this thread.',
    });
  }
}

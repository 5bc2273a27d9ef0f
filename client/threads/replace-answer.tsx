/**
 * Regenerates an answer of a language model in place. The present one stays until then, and as a version afterwards; quoted
 * passages would be the same, so there is nothing to replace where no model answers.
 */
import { RotateCcw } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { api } from '#client/api/session-client.ts';
import { perform } from '#client/shell/perform.ts';
import { showToast } from '#client/shell/toasts.ts';
import { writtenAt } from '#client/threads/answer-versions.tsx';
import { MODEL_PATIENCE_MS, WrittenAnswer } from '#client/threads/awaited-answer.tsx';
import { useAnswerDraft } from '#client/threads/use-answer-draft.ts';
import { useAnsweringModel } from '#client/threads/use-answering-model.ts';
import { Button } from '#client/ui/button.tsx';

interface ReplaceAnswerProps {
  thread: Pick<Thread, 'id' | 'workspaceId'>;
  message: Message;
}

export function ReplaceAnswer({ thread, message }: ReplaceAnswerProps) {
  const model = useAnsweringModel(thread.workspaceId);
  /** When the answer was written that another one is awaited for. */
  const [before, setBefore] = useState<string>();
  const [isReplaced, setIsReplaced] = useState(false);
  const isAwaited = before !== undefined;
  const draft = useAnswerDraft(thread, isAwaited);
  if (isAwaited && before !== writtenAt(message)) {
    setBefore(undefined);
    setIsReplaced(true);
  }
  useEffect(() => {
    if (!isAwaited) return undefined;
    const timer = setTimeout(() => {
      setBefore(undefined);
      showToast({
        kind: 'error',
        title: 'The answer was not written again',
        description: 'The language model did not answer, or its limit of this month is used up.',
      });
    }, MODEL_PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isAwaited]);
  if (!model) return null;
  const replace = async () => {
    if (isAwaited) return;
    setBefore(writtenAt(message));
    setIsReplaced(false);
    const params = { workspaceId: thread.workspaceId, threadId: thread.id, id: message.id };
    if (!(await perform(() => api('message.regenerate', { params })))) setBefore(undefined);
  };
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        icon={<RotateCcw />}
        aria-disabled={isAwaited}
        onClick={() => void replace()}
      >
        {isAwaited ? 'Being written again…' : 'Write again'}
      </Button>
      <output className="sr-only">
        {isAwaited && 'The answer is being written again.'}
        {isReplaced && 'The answer was replaced.'}
      </output>
      {isAwaited && draft?.id === message.id && (
        <div className="w-full">
          <WrittenAnswer text={draft.text} />
        </div>
      )}
    </>
  );
}

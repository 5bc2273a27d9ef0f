/** Actions on an answer beside its rating: copy it with sources, save it, regenerate it. */
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { answerWithSources } from '#shared/threads/export-file.ts';
import type { Message } from '#shared/threads/message.ts';
import { saveAnswer } from '#client/threads/actions.ts';
import { exportedMessage } from '#client/threads/export-thread.ts';
import { citationsOf, useCitedTitles } from '#client/threads/queries.ts';
import { Button } from '#client/ui/button.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { useCan, useWorkspaceSlug } from '#client/workspaces/queries.ts';

interface AnswerToolsProps {
  message: Message;
  question: string;
  /** Undefined where the question cannot be asked again. */
  onAskAgain: (() => Promise<unknown>) | undefined;
}

export function AnswerTools({ message, question, onAskAgain }: AnswerToolsProps) {
  const slug = useWorkspaceSlug();
  const can = useCan();
  const citations = citationsOf(message);
  const titles = useCitedTitles(citations);
  const [isAsking, setIsAsking] = useState(false);
  const text = () => answerWithSources(exportedMessage(message, { titles, slug }));
  const ask = async () => {
    if (onAskAgain === undefined || isAsking) return;
    setIsAsking(true);
    await onAskAgain();
    setIsAsking(false);
  };
  return (
    <>
      {citations.length > 0 && <CopyButton size="sm" variant="ghost" label="Copy with sources" text={text} />}
      {can('memory.create') && (
        <Button size="sm" variant="ghost" onClick={() => void saveAnswer(question, text())}>
          Save as memory
        </Button>
      )}
      {onAskAgain && (
        <Button
          size="sm"
          variant="ghost"
          icon={<RefreshCw />}
          aria-disabled={isAsking}
          onClick={() => void ask()}
        >
          Ask again
        </Button>
      )}
    </>
  );
}

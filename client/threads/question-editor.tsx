/** The field in which a person changes a question of theirs to send it again; Escape leaves it. What is typed stays a draft. */
import type { Message } from '#shared/threads/message.ts';
import { Composer } from '#client/threads/composer.tsx';
import { Button } from '#client/ui/button.tsx';

interface QuestionEditorProps {
  message: Message;
  userId: string;
  /** Resolves to whether the text is stored. */
  onSend: (content: string) => Promise<boolean>;
  close: () => void;
}

export function QuestionEditor({ message, userId, onSend, close }: QuestionEditorProps) {
  return (
    <div className="pb-3">
      <Composer
        draftKey={`thread-edit/${userId}/${message.id}`}
        label="Edited question"
        initial={message.content}
        onSend={onSend}
        onEscape={close}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-1 pt-1.5">
        <p className="text-xs text-ink-muted">It is sent as a new message. This one and its answer stay.</p>
        <Button size="sm" variant="ghost" onClick={close} className="ms-auto">
          Cancel
        </Button>
      </div>
    </div>
  );
}

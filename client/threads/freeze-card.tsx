/**
 * In the share dialog of a public thread: whether visitors see later messages. Freezing takes effect at once; showing
 * later messages needs a confirmation.
 */
import { Snowflake, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { Message } from '#shared/threads/message.ts';
import type { Thread } from '#shared/threads/thread.ts';
import { Button } from '#client/ui/button.tsx';
import { countOf } from '#shared/english.ts';

interface FreezeCardProps {
  thread: Thread;
  /** On this device, oldest first. */
  messages: readonly Message[];
  editable: boolean;
  publishable: boolean;
  onChange: (publicUntil: Thread['publicUntil']) => void;
}

/** How many of the messages on this device are after the freeze. */
export function writtenSince(messages: readonly Message[], publicUntil: string): number {
  const last = messages.findIndex(({ id }) => id === publicUntil);
  return last < 0 ? messages.length : messages.length - last - 1;
}

function Live({ messages, editable, onChange }: FreezeCardProps) {
  const last = messages.at(-1);
  return (
    <>
      <p>
        This is a live view: visitors also see what is written later.
        {editable && last === undefined && ' Open the thread to freeze what they see.'}
      </p>
      {editable && last !== undefined && (
        <Button icon={<Snowflake />} onClick={() => onChange(last.id)}>
          Freeze here
        </Button>
      )}
    </>
  );
}

/** Replaces the button that opened it and receives its focus. */
function Question({ since, onAnswer }: { since: number; onAnswer: (yes: boolean) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.scrollIntoView({ block: 'nearest' });
    box.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div ref={box} role="alert" className="w-full rounded-card border border-line-strong bg-sunk p-4">
      <p className="font-medium">Show what was written since?</p>
      <p className="mt-1 text-ink-muted">
        {countOf(since, 'message')} {since === 1 ? 'becomes' : 'become'} visible, and everything written
        later.
      </p>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button variant="primary" onClick={() => onAnswer(true)}>
          Show them
        </Button>
      </div>
    </div>
  );
}

function Frozen({ messages, publishable, onChange, since }: FreezeCardProps & { since: number }) {
  const [isAsked, setIsAsked] = useState(false);
  const later =
    since === 0
      ? 'Nothing has been written since.'
      : `${countOf(since, 'message')} written since ${since === 1 ? 'is' : 'are'} not shown.`;
  return (
    <>
      <p>
        Frozen: visitors see the messages up to the moment you froze it, and nothing that is written later.{' '}
        {messages.length > 0 && later}
      </p>
      {publishable && !isAsked && (
        <Button icon={<Undo2 />} onClick={() => (since === 0 ? onChange(null) : setIsAsked(true))}>
          Show later messages again
        </Button>
      )}
      {isAsked && <Question since={since} onAnswer={(yes) => (yes ? onChange(null) : setIsAsked(false))} />}
    </>
  );
}

/** Words and one button. */
export function FreezeCard(props: FreezeCardProps) {
  const { thread, messages } = props;
  return (
    <section
      aria-label="Later messages"
      className="mt-4 flex flex-col items-start gap-3 border-t border-line pt-4"
    >
      {thread.publicUntil ? (
        <Frozen {...props} since={writtenSince(messages, thread.publicUntil)} />
      ) : (
        <Live {...props} />
      )}
    </section>
  );
}

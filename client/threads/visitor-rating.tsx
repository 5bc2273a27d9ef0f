/**
 * Under an answer on a public page: was it good? Loaded once the page runs, and only where there are answers. A second
 * press takes the rating back; nothing else is asked of a visitor, and reasons are loaded for those who want to give any.
 */
import { useEffect, useRef, useState } from 'react';
import { LazyRatingWhy } from '#client/threads/lazy-rating-why.tsx';
import type { Opinion } from '#client/threads/rating-opinion.ts';
import {
  askOpinions,
  sendOpinion,
  visitorOpinions,
  type ThreadPlace,
} from '#client/threads/visitor-opinions.ts';
import { useStore } from '#client/shell/external-store.ts';
import { SiteIcon } from '#client/shell/site-icon.tsx';
import { buttonStyle } from '#client/ui/button-style.ts';

const CHOICES = [
  { label: 'Good answer', value: 1 },
  { label: 'Bad answer', value: -1 },
] as const;

/** Two buttons, which are pressed as the server keeps it, and the way to say why. */
export function VisitorRating({ messageId, ...place }: ThreadPlace & { messageId: string }) {
  const { isAsked, opinions } = useStore(visitorOpinions);
  const [isSending, setIsSending] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const toWhy = useRef<HTMLButtonElement>(null);
  const { threadId, workspaceId } = place;
  useEffect(() => {
    void askOpinions({ threadId, workspaceId });
  }, [threadId, workspaceId]);
  const opinion = opinions.get(messageId);
  const value = opinion?.value ?? (isAsked ? 0 : undefined);
  const rate = (choice: Opinion['value']) => {
    if (isSending) return;
    setIsOpen(false);
    void send({ value: value === choice ? 0 : choice });
  };
  const send = async (next: Partial<Opinion>) => {
    setIsSending(true);
    const isKept = await sendOpinion(place, messageId, next);
    setIsSending(false);
    setHasFailed(!isKept);
    return isKept;
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-1">
        {CHOICES.map(({ label, value: choice }) => (
          <button
            key={label}
            type="button"
            aria-label={label}
            title={label}
            // Unknown is neither on nor off.
            aria-pressed={value === undefined ? undefined : value === choice}
            aria-disabled={isSending}
            className={buttonStyle({ variant: value === choice ? 'soft' : 'ghost' })}
            onClick={() => rate(choice)}
          >
            <SiteIcon name="thumbs-up" {...(choice < 0 && { className: '-scale-y-100' })} />
          </button>
        ))}
        {opinion && opinion.value !== 0 && (
          <button
            ref={toWhy}
            type="button"
            aria-expanded={isOpen}
            className={buttonStyle({ variant: 'ghost' })}
            onClick={() => setIsOpen(!isOpen)}
          >
            {opinion.reason || opinion.comment ? 'Change why' : 'Say why'}
          </button>
        )}
        {hasFailed && (
          <p role="alert" className="text-sm text-danger-text">
            Not sent. Please try again.
          </p>
        )}
      </div>
      {isOpen && opinion && opinion.value !== 0 && (
        <div className="ms-2 mt-1">
          <LazyRatingWhy
            draftKey={`rating/visitor/${messageId}`}
            opinion={opinion}
            onRate={send}
            close={() => {
              setIsOpen(false);
              toWhy.current?.focus();
            }}
          />
        </div>
      )}
    </>
  );
}

/**
 * The highlights of a page in the order of the notes: each opens at its passage and can have a comment. One that is no longer
 * found in the shown text is listed too, with a hint.
 */
import { LocateFixed, MessageSquarePlus, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { LIMITS } from '#shared/constants.ts';
import type { NotedQuote } from '#shared/memories/quotes.ts';
import { showPassage } from '#client/memories/passages.ts';
import type { Highlights } from '#client/memories/use-highlights.ts';
import type { Passages } from '#client/memories/use-passages.ts';
import { Button } from '#client/ui/button.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { Textarea } from '#client/ui/textarea.tsx';
import { countOf } from '#shared/english.ts';

interface WordsFormProps {
  quote: NotedQuote;
  highlights: Highlights;
  close: () => void;
}

function WordsForm({ quote, highlights, close }: WordsFormProps) {
  const [words, setWords] = useState(quote.words);
  const save = async () => {
    if (words.trim() === quote.words || (await highlights.setWords(quote, words))) close();
  };
  return (
    <form
      className="mt-2 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Textarea
        aria-label="Note on this highlight"
        placeholder="What you think of it"
        minRows={2}
        maxRows={8}
        maxLength={LIMITS.description}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by the press of a button for this field
        autoFocus
        value={words}
        onChange={(event) => setWords(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          if (event.key !== 'Escape') return;
          // Closes this field and not the viewer around it.
          event.stopPropagation();
          close();
        }}
      />
      <span className="flex gap-2">
        <Button type="submit" size="sm" variant="primary">
          Save note
        </Button>
        <Button size="sm" variant="ghost" onClick={close}>
          Cancel
        </Button>
      </span>
    </form>
  );
}

interface HighlightItemProps {
  quote: NotedQuote;
  /** Its range in the text; null if it was not found, undefined while searching. */
  passage: Range | null | undefined;
  shown: string;
  highlights: Highlights;
}

function HighlightItem({ quote, passage, shown, highlights }: HighlightItemProps) {
  const [isWriting, setWriting] = useState(false);
  const hasWords = quote.words !== '';
  return (
    <li className="flex items-start gap-2 py-2">
      <div className="min-w-0 flex-1">
        <blockquote className="line-clamp-3 border-s-2 border-line-strong ps-3 break-words">
          {quote.exact}
        </blockquote>
        {hasWords && !isWriting && (
          <p className="mt-1.5 ps-3.5 break-words whitespace-pre-line text-ink-muted">{quote.words}</p>
        )}
        {(quote.place !== null || passage === null) && (
          <p className="mt-1 ps-3.5 text-xs text-ink-faint">
            {[quote.place ?? '', passage === null ? `Not found in the ${shown}` : '']
              .filter(Boolean)
              .join(' · ')}
          </p>
        )}
        {isWriting && <WordsForm quote={quote} highlights={highlights} close={() => setWriting(false)} />}
      </div>
      {passage && (
        <IconButton
          label={`Show in ${shown}`}
          icon={<LocateFixed />}
          size="sm"
          onClick={() => showPassage(passage)}
        />
      )}
      {highlights.isEditable && (
        <>
          <IconButton
            label={hasWords ? 'Edit note on highlight' : 'Add note to highlight'}
            icon={hasWords ? <Pencil /> : <MessageSquarePlus />}
            size="sm"
            onClick={() => setWriting(true)}
          />
          <IconButton
            label="Remove highlight"
            icon={<Trash2 />}
            size="sm"
            onClick={() => void highlights.remove(quote)}
          />
        </>
      )}
    </li>
  );
}

interface HighlightListProps {
  highlights: Highlights;
  passages: Passages | undefined;
  /** Version of the page on screen. */
  shown: 'text' | 'saved page';
}

/** Nothing for a page without highlights. */
export function HighlightList({ highlights, passages, shown }: HighlightListProps) {
  const { quotes } = highlights;
  if (quotes.length === 0) return null;
  return (
    <details open className="mb-5 rounded-card border border-line px-4 py-2">
      <summary className="w-fit cursor-pointer rounded-control py-1 text-xs font-medium text-ink-muted">
        {countOf(quotes.length, 'highlight')}
      </summary>
      <ul aria-label="Highlights" className="max-h-96 divide-y divide-line overflow-y-auto">
        {quotes.map((quote, index) => (
          <HighlightItem
            key={`${quote.exact.slice(0, 100)}-${index}`}
            quote={quote}
            passage={passages?.(quote)}
            shown={shown}
            highlights={highlights}
          />
        ))}
      </ul>
    </details>
  );
}

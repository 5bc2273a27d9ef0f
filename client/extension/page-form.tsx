/** Note, tags and space of the page that was just saved. */
import { ExternalLink, RefreshCw, TextQuote, Undo2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { formatDate } from '#shared/english.ts';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { FormProblem } from '#client/ui/form-problem.tsx';
import { Input } from '#client/ui/input.tsx';
import { Textarea } from '#client/ui/textarea.tsx';
import { PRODUCT_NAME } from '#shared/constants.ts';
import { quoteOfSelection } from '#shared/memories/quotes.ts';
import { ask, type Page, type State } from './messages.ts';
import { tagsIn, together } from './quote.ts';
import { SpaceChoice, useOffered } from './space-choice.tsx';
import type { Choices } from './waiting.ts';

interface PageFormProps {
  page: Page;
  onState: (state: State) => void;
  /** Saves the page anew, with the text that it has now. */
  onSaveAgain: () => Promise<void>;
  /** The save of the page was undone. */
  onUndone: (state: State) => void;
}

/** Fields that differ from the saved page. */
function choicesFrom(page: Page, form: { notes: string; tags: string; spaceId: Page['spaceId'] }): Choices {
  const tags = tagsIn(form.tags);
  const notes = form.notes.trim();
  return {
    ...(notes !== page.notes && { notes: notes === '' ? null : notes }),
    ...(tags.join() !== page.tags.join() && { tags }),
    ...(form.spaceId !== page.spaceId && { spaceId: form.spaceId }),
  };
}

export function PageForm({ page: given, onState, onSaveAgain, onUndone }: PageFormProps) {
  const [page, setPage] = useState(given);
  const [notes, setNotes] = useState(page.notes);
  const [tags, setTags] = useState(page.tags.join(', '));
  const [spaceId, setSpaceId] = useState(page.spaceId);
  const [status, setStatus] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const noteField = useRef<HTMLTextAreaElement>(null);
  const tagList = useId();
  const offered = useOffered();
  const { outcome } = page;

  const run = async (work: () => Promise<void>) => {
    setProblem(undefined);
    setBusy(true);
    try {
      await work();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  const undo = () => run(async () => onUndone(await ask('undo', { memoryId: page.memoryId })));
  const save = () =>
    run(async () => {
      const choices = choicesFrom(page, { notes, tags, spaceId });
      const state = await ask('change', { memoryId: page.memoryId, title: page.title, choices });
      onState(state);
      const refused = state.waiting.find((each) => each.problem !== null && each.memoryId === page.memoryId);
      if (refused?.problem) throw new Error(refused.problem);
      setPage({ ...page, notes: notes.trim(), tags: tagsIn(tags), spaceId });
      setTags(tagsIn(tags).join(', '));
      setStatus(state.waiting.length > 0 ? 'Kept until there is a connection' : 'Changes saved');
    });
  const addQuote = () => {
    setNotes(together(notes, quoteOfSelection(page.selection)));
    noteField.current?.focus();
  };

  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className="flex flex-col gap-1">
        <p className="line-clamp-2 font-medium">{page.title}</p>
        <p className="truncate text-xs text-ink-muted">{outcomeWords(page)}</p>
        {outcome.kind !== 'waiting' && outcome.kind !== 'refused' && (
          <a
            href={outcome.address}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-6 items-center gap-1 self-start text-primary underline underline-offset-2"
          >
            Open in {PRODUCT_NAME} <ExternalLink aria-hidden="true" className="size-3.5" />
          </a>
        )}
      </div>
      {page.selection.trim() !== '' && (
        <div className="flex flex-col items-start gap-2 rounded-control border border-line bg-sunk p-2.5">
          <blockquote className="line-clamp-3 border-s-2 border-line-strong ps-2.5 text-ink-muted">
            {page.selection.trim()}
          </blockquote>
          <Button size="sm" icon={<TextQuote aria-hidden="true" />} onClick={addQuote}>
            Add as quote
          </Button>
        </div>
      )}
      <Field label="Note">
        <Textarea
          ref={noteField}
          value={notes}
          minRows={2}
          maxRows={5}
          onChange={(event) => setNotes(event.target.value)}
        />
      </Field>
      <Field label="Tags" hint="Separated by commas">
        <Input value={tags} list={tagList} onChange={(event) => setTags(event.target.value)} />
      </Field>
      <datalist id={tagList}>
        {offered.tags.map((tag) => (
          <option key={tag} value={[...tagsIn(tags).slice(0, -1), tag].join(', ')}>
            {tag}
          </option>
        ))}
      </datalist>
      <SpaceChoice offered={offered} value={spaceId} onChoose={setSpaceId} />
      <FormProblem text={problem} />
      <div className="flex items-center justify-between gap-3">
        <output className="text-xs text-ink-muted">{status}</output>
        <span className="flex gap-2">
          {outcome.kind === 'there' && (
            <Button
              variant="ghost"
              icon={<RefreshCw aria-hidden="true" />}
              disabled={isBusy}
              onClick={() => void run(onSaveAgain)}
            >
              Save again
            </Button>
          )}
          {outcome.kind === 'saved' && (
            <Button
              variant="ghost"
              icon={<Undo2 aria-hidden="true" />}
              disabled={isBusy}
              onClick={() => void undo()}
            >
              Undo
            </Button>
          )}
          <Button type="submit" variant="primary" loading={isBusy}>
            Save changes
          </Button>
        </span>
      </div>
    </form>
  );
}

function outcomeWords({ outcome, url }: Page): string {
  if (outcome.kind === 'there') return `Since ${formatDate(new Date(outcome.created))}`;
  if (outcome.kind === 'known') return `Since ${formatDate(new Date(outcome.created))}; text renewed`;
  if (outcome.kind !== 'waiting') return new URL(url).host;
  return outcome.isSignedOut ? 'Sent once you sign in again' : 'Sent once there is a connection';
}

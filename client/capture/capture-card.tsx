/**
 * The capture field: accepts a note, one or many addresses, or pasted text, and shows what saving would create. Used on
 * the home page and in the capture sheet.
 */
import { clsx } from 'clsx';
import { Link2, ListPlus, StickyNote } from 'lucide-react';
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { LIMITS } from '#shared/constants.ts';
import type { Id } from '#shared/ids.ts';
import { readTags } from '#client/capture/capture-tags.ts';
import { readCapture, type Captured } from '#client/capture/capture-text.ts';
import { openWithFiles, pastedFiles } from '#client/capture/pasted-files.ts';
import { TagChips } from '#client/capture/tag-chips.tsx';
import { useCapture, type CaptureContext } from '#client/capture/use-capture.ts';
import { useCaptureDraft } from '#client/capture/use-capture-draft.ts';
import { keysOf } from '#client/shell/shortcut-catalogue.ts';
import { Button } from '#client/ui/button.tsx';
import { Kbd } from '#client/ui/kbd.tsx';
import { Textarea } from '#client/ui/textarea.tsx';
import { formatCount } from '#shared/english.ts';

interface CaptureCardProps {
  draftKey: string;
  /** Text to start with instead of the draft. */
  given?: string | undefined;
  givenBy?: CaptureContext['by'];
  spaceId?: Id<'space'> | null;
  /** Tags that were chosen beside the text. */
  tags?: readonly string[];
  focused?: boolean;
  roomy?: boolean;
  /** Something beside the Save button. */
  aside?: ReactNode;
  /** Receives files that are pasted into the field; without it the sheet opens with them. */
  onFiles?: (files: readonly File[]) => void;
  /** Files that are saved together with the text. */
  files?: { count: number; save: () => Promise<boolean>; list: ReactNode };
  /** After saving; `again` = the person continues with another one. */
  onSaved?: (again: boolean) => void;
}

/** Words for what a text will become. */
function Reading({ captured }: { captured: Captured }) {
  switch (captured.kind) {
    case 'empty':
      return null;
    case 'too_long':
      return (
        <span role="alert" className="text-danger">
          {formatCount(captured.over)} characters over the {formatCount(LIMITS.notes)} a memory holds
        </span>
      );
    case 'link':
      return (
        <>
          <Link2 aria-hidden="true" /> {captured.notes === null ? 'Link' : 'Link with a note'}
        </>
      );
    case 'links':
      return (
        <>
          <ListPlus aria-hidden="true" /> {captured.urls.length} links. Save them as separate memories?
        </>
      );
    default:
      return (
        <>
          <StickyNote aria-hidden="true" /> {captured.title === null ? 'Note' : `Note “${captured.title}”`}
        </>
      );
  }
}

const NO_TAGS: readonly string[] = [];
const NONE_KEPT: ReadonlySet<string> = new Set();
const NO_FILES = { count: 0, save: async () => true, list: null };

function saveLabel(captured: Captured, files: number): string {
  if (files > 0)
    return captured.kind !== 'empty' ? 'Save all' : files === 1 ? 'Save file' : `Save ${files} files`;
  return captured.kind === 'links' ? `Save ${captured.urls.length} links` : 'Save';
}

function asOneNote(text: string): Captured {
  return { kind: 'note', title: null, notes: text.trim() };
}

/** mod+Enter saves; with shift the field stays for the next one. */
export function CaptureCard(props: CaptureCardProps) {
  const {
    draftKey,
    given,
    givenBy = 'typed',
    spaceId = null,
    tags = NO_TAGS,
    focused = false,
    roomy = false,
    aside,
    onFiles = openWithFiles,
    files = NO_FILES,
    onSaved,
  } = props;
  const { text, change, sendOff } = useCaptureDraft(draftKey, given);
  const [by, setBy] = useState(givenBy);
  const field = useRef<HTMLTextAreaElement>(null);
  const capture = useCapture();
  const [kept, setKept] = useState(NONE_KEPT);
  const read = useMemo(() => readTags(text, kept), [text, kept]);
  const captured = useMemo(() => readCapture(read.text), [read.text]);
  const allTags = [...new Set([...tags, ...read.tags])].slice(0, LIMITS.tagCount);
  const hasText = captured.kind !== 'empty' && captured.kind !== 'too_long';
  const savable = hasText || (captured.kind === 'empty' && files.count > 0);
  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);

  const save = async (what: Captured, again: boolean) => {
    if (!savable) return;
    if (again || !onSaved) field.current?.focus();
    setBy('typed');
    setKept(NONE_KEPT);
    if (files.count > 0 && !(await files.save())) return;
    if (!hasText || (await sendOff(() => capture(what, { by, spaceId, tags: allTags })))) onSaved?.(again);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void save(captured, event.shiftKey);
  };
  const handlePaste = (event: ClipboardEvent) => {
    const pasted = pastedFiles(event.clipboardData);
    if (pasted.length > 0) {
      event.preventDefault();
      onFiles(pasted);
    }
    if (text.trim() === '' && event.clipboardData.getData('text/plain') !== '') setBy('pasted');
  };
  return (
    <>
      <div
        className={clsx(
          'rounded-card border border-line-control bg-raised transition-colors duration-fast focus-within:border-primary focus-within:outline-1 focus-within:outline-primary',
          !roomy && 'shadow-float',
        )}
      >
        <Textarea
          ref={field}
          bare
          aria-label="Save a memory"
          placeholder="Write a note, paste a link, drop a file"
          minRows={roomy ? 5 : 1}
          maxRows={roomy ? 14 : 10}
          value={text}
          onChange={(event) => change(event.target.value)}
          onPaste={handlePaste}
          onKeyDown={handleKey}
          className="block px-4 leading-6 outline-none [--space:--spacing(2)] md:[--space:--spacing(2.5)]"
        />
        <TagChips
          typed={read.tags}
          chosen={tags}
          onKeep={(tag) => {
            setKept(new Set([...kept, tag]));
            field.current?.focus();
          }}
        />
        {(roomy || captured.kind !== 'empty') && (
          <div className="flex flex-wrap items-center justify-end gap-2 px-3.5 pb-2.5">
            <p
              className={clsx(
                'flex min-w-0 flex-1 items-center gap-1.5 text-xs text-ink-muted max-sm:basis-full [&_svg]:size-3.5 [&_svg]:shrink-0',
                (roomy || captured.kind === 'links' || captured.kind === 'too_long') && 'basis-full',
              )}
            >
              <Reading captured={captured} />
            </p>
            {aside}
            {captured.kind === 'links' && (
              <Button size="sm" onClick={() => void save(asOneNote(read.text), false)}>
                Save as one note
              </Button>
            )}
            {savable && (
              <span aria-hidden="true" className="contents">
                <Kbd keys={keysOf('writing.submit')} className="max-sm:hidden" />
              </span>
            )}
            <Button
              variant="primary"
              size="sm"
              disabled={!savable}
              onClick={() => void save(captured, false)}
            >
              {saveLabel(captured, files.count)}
            </Button>
          </div>
        )}
      </div>
      {files.list}
    </>
  );
}

/**
 * A field for Markdown. It is a plain text area at once and becomes the editor when that has loaded, with its text, its
 * selection and its focus: nothing typed before is lost, and without the editor's code it stays the plain field.
 */
import { useEffect, useId, useMemo, useRef, type ComponentProps, type ReactNode } from 'react';
import { useTextEditor, type EditedText } from '#client/editor/use-text-editor.ts';
import { Textarea } from '#client/ui/textarea.tsx';
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx';

interface MarkdownFieldProps extends Omit<EditedText, 'attributes'> {
  label: string;
  /** Id of another element that describes the field. */
  describedBy: string;
  /** Whether the field is focused when it appears. */
  focused: boolean;
  /** Something below the text that puts files into it. */
  tools?: (take: (files: readonly File[]) => void) => ReactNode;
}

interface PlainFieldProps extends Pick<
  ComponentProps<typeof Textarea>,
  'ref' | 'aria-label' | 'aria-describedby' | 'placeholder' | 'onChange' | 'onBlur'
> {
  value: string;
}

function PlainField(props: PlainFieldProps) {
  return <Textarea {...props} bare minRows={8} maxRows={400} className="block leading-6" />;
}

/** Pass the draft's key as React key. */
export function MarkdownField({ label, describedBy, focused, tools, ...edited }: MarkdownFieldProps) {
  const hint = useId();
  const plain = useRef<HTMLTextAreaElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const attributes = useMemo(
    () => ({ 'aria-label': label, 'aria-describedby': `${hint} ${describedBy}` }),
    [label, hint, describedBy],
  );
  const { editor, change, leave } = useTextEditor({ ...edited, attributes }, plain, place);
  useEffect(() => {
    if (focused) plain.current?.focus();
  }, [focused]);
  return (
    <div className="max-w-reading font-serif text-reading">
      <div ref={place} />
      {editor === undefined && (
        <PlainField
          ref={plain}
          {...attributes}
          placeholder={edited.placeholder}
          value={edited.value}
          onChange={(event) => change(event.target.value)}
          onBlur={leave}
        />
      )}
      <span id={hint}>
        <VisuallyHidden>
          In a list, Tab indents the item. Press Escape, then Tab to leave the field.
        </VisuallyHidden>
      </span>
      {editor && tools && <div className="-ms-2 mt-2">{tools(editor.take)}</div>}
    </div>
  );
}

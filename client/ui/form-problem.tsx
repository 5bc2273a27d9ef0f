/**
 * What a form says when it was refused as a whole: above the button, announced, in one sentence.
 * What is wrong with a single field stands at the field.
 */
import { TriangleAlert } from 'lucide-react';

/** Shows nothing without a text, but stays mounted so that the text is announced. */
export function FormProblem({ text }: { text: string | undefined }) {
  return (
    <div role="alert" className="empty:hidden">
      {text !== undefined && (
        <p className="flex items-start gap-2 rounded-control bg-danger-soft px-3 py-2 text-danger-soft-ink">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {text}
        </p>
      )}
    </div>
  );
}

/**
 * The error of a form as a whole: one announced sentence above the button. Errors of a single field are shown at the
 * field.
 */
import { TriangleAlert } from 'lucide-react';

/** Shows nothing without a text, but stays mounted so that the text is announced. */
export function FormProblem({ text }: { text: string | undefined }) {
  return (
    <div role="alert" className="empty:hidden">
      {text !== undefined && (
        <p className="flex items-start gap-2 rounded-control bg-danger-soft px-3 py-2 text-danger">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {text}
        </p>
      )}
    </div>
  );
}

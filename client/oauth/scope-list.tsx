/** Scopes of an app, one line each, worded the same on all consent screens. */
import { Check } from 'lucide-react';

/** Scopes with their labels. */
export function ScopeList({ scopes }: { scopes: readonly { id: string; label: string }[] }) {
  return (
    <ul className="flex flex-col gap-1.5">
      {scopes.map(({ id, label }) => (
        <li key={id} className="flex items-start gap-2.5">
          <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary" />
          {label}
        </li>
      ))}
    </ul>
  );
}

/**
 * A small turning ring for buttons that wait for the server.
 * Never for lists or pages: those show their data or a skeleton.
 */
import { LoaderCircle } from 'lucide-react';

/** Decorative; the button around it carries `aria-busy`. */
export function Spinner({ className = 'size-4' }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={`animate-turn ${className}`} />;
}

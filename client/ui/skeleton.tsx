/**
 * The quiet shape of what is still coming from the server, in its final size.
 * Never for data that is on this device.
 */
import { useEffect, useState, type ReactNode } from 'react';
import { clsx } from 'clsx';

/** One grey block; set the size of the content that it replaces. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={clsx('block animate-breathe rounded-control bg-hover', className)} />
  );
}

/** Shows its children only after 200 ms, so that a fast response does not flash; announces the wait once. */
export function SkeletonGroup({ label, children }: { label: string; children: ReactNode }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div aria-busy="true" className={late ? '' : 'invisible'}>
      <output className="sr-only">{late ? label : ''}</output>
      {children}
    </div>
  );
}

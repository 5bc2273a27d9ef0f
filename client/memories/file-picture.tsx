/**
 * A picture that was uploaded: fitted into its place, or in its own size with the rest to scroll to.
 */
import { useState } from 'react';
import { useSource } from '#client/replica/use-file.ts';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';

const SIZES = [
  { value: 'fit', label: 'Fit' },
  { value: 'actual', label: 'Actual size' },
] as const;

interface FilePictureProps {
  blob: Blob;
  name: string;
  /** Pixel size of the picture, where it is known: its preview is shown at this size, so replacing it moves nothing. */
  dots?: { width: number; height: number } | undefined;
}

/** Shown by the browser's own decoder, which runs no scripts. */
export function FilePicture({ blob, name, dots }: FilePictureProps) {
  const source = useSource(blob);
  const [size, setSize] = useState<'fit' | 'actual'>('fit');
  const [isBroken, setIsBroken] = useState(false);
  if (isBroken)
    return <p className="text-ink-muted">This picture cannot be shown. Download it to open it.</p>;
  const picture = (
    <img
      key={size}
      ref={source}
      alt={name}
      {...dots}
      // The shape of the preview differs from that of the picture by a part of a dot.
      style={dots && { aspectRatio: `${dots.width} / ${dots.height}` }}
      onError={() => setIsBroken(true)}
      className={
        size === 'fit' ? 'mx-auto h-auto max-h-[65dvh] max-w-full object-contain' : 'h-auto max-w-none'
      }
    />
  );
  return (
    <div>
      <SegmentedControl label="Size" options={SIZES} value={size} onValueChange={setSize} className="mb-2" />
      {size === 'fit' ? (
        <div className="rounded-card bg-sunk p-2">{picture}</div>
      ) : (
        <section
          aria-label={`${name} in its actual size`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Scrolled with the arrow keys.
          tabIndex={0}
          className="max-h-[70dvh] overflow-auto rounded-card bg-sunk p-2 outline-offset-2 focus-visible:outline-2 focus-visible:outline-primary"
        >
          {picture}
        </section>
      )}
    </div>
  );
}

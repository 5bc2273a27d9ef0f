/**
 * Controls below the choice of a published page: its address to copy, a QR code, its feed, and the button to stop
 * sharing. Knows addresses only.
 */
import { ExternalLink, QrCode } from 'lucide-react';
import { Suspense, useState } from 'react';
import { LazyShareQr } from '#client/spaces/lazy-share-qr.tsx';
import { Button } from '#client/ui/button.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Input } from '#client/ui/input.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';

interface ShareLinkProps {
  url: string;
  /** Absolute address of the feed, only if it is listed. */
  feed?: string | undefined;
  onStop: (() => void) | undefined;
}

/** Everything about the address. */
export function ShareLink({ url, feed, onStop }: ShareLinkProps) {
  const [isScanning, setScanning] = useState(false);
  return (
    <section aria-label="Link" className="mt-4 border-t border-line pt-4">
      <div className="flex items-center gap-2">
        <Input readOnly aria-label="Link" value={url} onFocus={(event) => event.target.select()} />
        <CopyButton text={url} label="Copy link" variant="primary" />
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <LinkButton to={new URL(url).pathname} icon={<ExternalLink />}>
          Open page
        </LinkButton>
        <Button icon={<QrCode />} aria-expanded={isScanning} onClick={() => setScanning(!isScanning)}>
          QR code
        </Button>
        {feed !== undefined && <CopyButton text={feed} label="Feed link" />}
        {onStop && (
          <Button variant="quietDanger" className="ms-auto" onClick={onStop}>
            Stop sharing
          </Button>
        )}
      </div>
      {isScanning && (
        <div className="mt-4 flex justify-center">
          <Suspense fallback={<span className="size-44" />}>
            <LazyShareQr text={url} label={`QR code of ${url}`} />
          </Suspense>
        </div>
      )}
    </section>
  );
}

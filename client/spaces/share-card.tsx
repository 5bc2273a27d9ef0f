/**
 * The body of the share dialogs of spaces and threads: who can see it in plain sentences, what the web would see, a
 * confirmation before it is published, and the link. The change itself is the caller's mutation.
 */
import { ExternalLink, QrCode } from 'lucide-react';
import { type ReactNode, useState, Suspense } from 'react';
import { Link } from 'react-router';
import { pathTo } from '#shared/pages.ts';
import { anonymousReads, VISIBILITIES, VISIBILITY, type Visibility } from '#shared/spaces/visibility.ts';
import { useMayList } from '#client/spaces/queries.ts';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Input } from '#client/ui/input.tsx';
import { lazyPart } from '#client/ui/lazy-part.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { useWorkspace, useWorkspaceSlug } from '#client/workspaces/queries.ts';
import { SuspensionCard } from '#client/workspaces/suspension-card.tsx';
import { Button } from '#client/ui/button.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';

interface ShareCardProps {
  visibility: Visibility;
  /** This person may change it at all, and may show it to the web. */
  editable: boolean;
  publishable: boolean;
  /** Path of the public page. */
  path: string;
  feedPath?: string;
  /** Summary of what becomes visible, in numbers. */
  consequence: string;
  /** The public card as visitors will see it. */
  preview: ReactNode;
  /** Visibility when sharing stops. */
  unshared: Visibility;
  onChange: (visibility: Visibility) => Promise<boolean>;
  /** Options of the page that apply before and after it is public. */
  choice?: ReactNode;
  /** Current readers, and the people with a grant. */
  people: ReactNode;
  /** More options, shown once the page is public. */
  below?: ReactNode;
}

function optionsOf({ visibility, editable, publishable }: ShareCardProps, listable: boolean) {
  return VISIBILITIES.map((value) => ({
    value,
    label: VISIBILITY[value].label,
    hint: VISIBILITY[value].description,
    disabled:
      value !== visibility &&
      (!editable || (anonymousReads(value) && !publishable) || (VISIBILITY[value].indexable && !listable)),
  }));
}

interface AskProps {
  wanted: Visibility;
  consequence: string;
  choice: ReactNode;
  onAnswer: (yes: boolean) => void;
}

function AskFirst({ wanted, consequence, choice, onAnswer }: AskProps) {
  const isPublic = VISIBILITY[wanted].indexable;
  return (
    <div role="alert" className="mt-4 rounded-card border border-line-strong bg-sunk p-4">
      <p className="font-medium">
        {isPublic ? 'Publish this on the web?' : 'Open this to everyone with the link?'}
      </p>
      <p className="mt-1 text-ink-muted">{consequence}</p>
      {choice && <div className="mt-3">{choice}</div>}
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button onClick={() => onAnswer(false)}>Cancel</Button>
        <Button variant="primary" onClick={() => onAnswer(true)}>
          {isPublic ? 'Publish' : 'Open by link'}
        </Button>
      </div>
    </div>
  );
}

/** Applies a narrower visibility at once and confirms a wider one first. */
export function ShareCard(props: ShareCardProps) {
  const { visibility, editable, publishable, path, feedPath, consequence, preview, unshared, onChange } =
    props;
  const [wanted, setWanted] = useState<Visibility>();
  const listable = useMayList();
  const isShared = anonymousReads(visibility);
  const choose = (value: Visibility) => {
    setWanted(undefined);
    if (value === visibility) return;
    const isWider = anonymousReads(value) && (!isShared || VISIBILITY[value].indexable);
    if (isWider) setWanted(value);
    else void onChange(value);
  };
  const answer = (yes: boolean) => {
    setWanted(undefined);
    if (yes && wanted) void onChange(wanted);
  };
  const workspaceId = useWorkspace()?.id;
  const { origin } = globalThis.location;
  const account = pathTo('settings_account', { workspace_slug: useWorkspaceSlug() });
  const isListed = VISIBILITY[visibility].indexable;
  return (
    <>
      {isShared && workspaceId !== undefined && <SuspensionCard workspaceId={workspaceId} />}
      <div className="-mx-3">
        <RadioList
          label="Who can see it"
          hideLabel
          options={optionsOf(props, listable)}
          value={wanted ?? visibility}
          onValueChange={choose}
        />
      </div>
      {editable && !publishable && (
        <p className="mt-2 text-xs text-ink-muted">You cannot share this outside the workspace.</p>
      )}
      {editable && publishable && !listable && (
        <p className="mt-2 text-xs text-ink-muted">
          To publish on the web, confirm your e-mail address in{' '}
          <Link to={account} className="font-medium text-primary underline-offset-2 hover:underline">
            your account
          </Link>
          .
        </p>
      )}
      {wanted && (
        <AskFirst wanted={wanted} consequence={consequence} choice={props.choice} onAnswer={answer} />
      )}
      {props.people}
      {isShared && (
        <ShareLink
          url={origin + path}
          feed={isListed && feedPath !== undefined ? origin + feedPath : undefined}
          onStop={editable ? () => void onChange(unshared) : undefined}
        />
      )}
      {isShared && !wanted && props.choice && <div className="mt-5">{props.choice}</div>}
      {isShared && props.below}
      <section aria-label="Preview" className="mt-5">
        <p className="mb-2 text-xs text-ink-muted">
          {isShared ? consequence : 'This is how visitors would see it.'}
        </p>
        {preview}
      </section>
    </>
  );
}

interface ShareLinkProps {
  url: string;
  /** Absolute address of the feed, only if it is listed. */
  feed?: string | undefined;
  onStop: (() => void) | undefined;
}

/** The address to copy, a QR code, the feed, and the button to stop sharing. Everything about the address. */
function ShareLink({ url, feed, onStop }: ShareLinkProps) {
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

/** On demand, because few people need it. */
const LazyShareQr = lazyPart('the QR code', () => import('#client/ui/qr-code.tsx').then((m) => m.QrCode));

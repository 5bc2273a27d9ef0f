// Drawings of the product for the home page, made of the product's own tokens: sharp at every size, right in both
// colour modes, no picture to load. They illustrate; everything they say also stands in the text beside them.
import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import { SiteIcon } from '#client/shell/site-icon.tsx';

function Frame({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <figure
      className={clsx('overflow-hidden rounded-dialog border border-line bg-surface shadow-pop', className)}
    >
      <div aria-hidden="true">{children}</div>
      <figcaption className="sr-only">{label}</figcaption>
    </figure>
  );
}

interface RowProps {
  icon: ReactNode;
  title: string;
  detail: string;
  tags?: string[];
  mark?: ReactNode;
  active?: boolean;
}

function Row({ icon, title, detail, tags = [], mark, active = false }: RowProps) {
  return (
    <div className={clsx('flex items-start gap-3 px-4 py-3', active && 'bg-hover')}>
      <span className="mt-0.5 text-ink-faint [&_svg]:size-4">{icon}</span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{title}</span>
        <span className="block truncate text-xs text-ink-muted">{detail}</span>
      </span>
      <span className="hidden gap-1 sm:flex">
        {tags.map((tag) => (
          <span key={tag} className="rounded-full border border-line px-2 py-0.5 text-2xs text-ink-muted">
            {tag}
          </span>
        ))}
      </span>
      {mark}
    </div>
  );
}

const MEMORIES: RowProps[] = [
  {
    icon: <SiteIcon name="note" />,
    title: 'Why our index rebuilds were slow',
    detail: 'Three causes, the third one was ours: the sort ran twice…',
    tags: ['postgres', 'speed'],
  },
  {
    icon: <SiteIcon name="link" />,
    title: 'Local-first software: you own your data',
    detail: 'inkandswitch.com',
    tags: ['reading'],
  },
  {
    icon: <SiteIcon name="file-text" />,
    title: 'interview-notes.md',
    detail: 'Imported from archive.zip',
    tags: ['research'],
  },
  {
    icon: <SiteIcon name="note" />,
    title: 'Bread, attempt nine',
    detail: '78 % water, 14 hours cold, and do not touch it before noon',
    tags: ['kitchen'],
  },
];

function rows(): ReactNode {
  return MEMORIES.map((row) => <Row key={row.title} {...row} />);
}

/** The whole application in small. */
export function AppFigure() {
  return (
    <Frame
      label="The application: a list of spaces on the left, saved memories with tags on the right"
      className="text-start"
    >
      <div className="grid grid-cols-[minmax(0,1fr)] sm:grid-cols-[12rem_minmax(0,1fr)]">
        <div className="hidden border-e border-line bg-sunken p-3 text-sm sm:block">
          <p className="px-2 py-1.5 font-semibold">Harbour</p>
          {['Home', 'Capsule', 'Threads'].map((name, index) => (
            <p
              key={name}
              className={clsx(
                'rounded-control px-2 py-1.5',
                index === 0 ? 'bg-active font-medium' : 'text-ink-muted',
              )}
            >
              {name}
            </p>
          ))}
          <p className="mt-3 px-2 py-1 text-2xs font-medium text-ink-faint">Spaces</p>
          {[
            ['bg-emerald-600', 'Reading'],
            ['bg-sky-600', 'Postgres'],
            ['bg-amber-600', 'Kitchen'],
          ].map(([color, name]) => (
            <p key={name} className="flex items-center gap-2 px-2 py-1.5 text-ink-muted">
              <span className={clsx('size-2 rounded-full', color)} />
              {name}
            </p>
          ))}
        </div>
        <div>
          <div className="border-b border-line p-3">
            <p className="rounded-control border border-line-control px-3 py-2 text-sm text-ink-faint">
              Write a note or paste links…
            </p>
          </div>
          <div className="divide-y divide-line">{rows()}</div>
          <SyncLine icon={<SiteIcon name="check" />} text="Everything is saved and synced" />
        </div>
      </div>
    </Frame>
  );
}

function SyncLine({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <p className="flex items-center gap-2 border-t border-line px-4 py-2.5 text-xs text-ink-muted [&_svg]:size-3.5 [&_svg]:text-primary-text">
      {icon}
      {text}
    </p>
  );
}

function SearchFigure() {
  return (
    <Frame label="The search: the query tag:postgres index lists two memories with the words marked">
      <p className="flex items-center gap-3 border-b border-line px-4 py-3.5 text-sm">
        <SiteIcon name="search" className="size-4 text-ink-faint" />
        <span>
          <span className="rounded bg-primary-soft px-1 text-primary-soft-ink">tag:postgres</span> index
        </span>
      </p>
      <div className="divide-y divide-line">
        <Row
          icon={<SiteIcon name="note" />}
          title="Why our index rebuilds were slow"
          detail="…the index was sorted twice because…"
          active
        />
        <Row
          icon={<SiteIcon name="link" />}
          title="Partial indexes, explained with one table"
          detail="…an index over only the rows you ask for…"
        />
      </div>
      <SyncLine icon={<SiteIcon name="check" />} text="Answered on this device, from 1,873 notes" />
    </Frame>
  );
}

function OfflineFigure() {
  return (
    <Frame label="The application without a network: three changes wait, everything can be read and written">
      <div className="divide-y divide-line">
        {MEMORIES.slice(0, 3).map((row, index) => (
          <Row
            key={row.title}
            {...row}
            tags={[]}
            mark={<span className="text-2xs text-ink-faint">{index === 0 ? 'just now' : 'saved here'}</span>}
          />
        ))}
      </div>
      <SyncLine
        icon={<SiteIcon name="cloud-off" />}
        text="Offline. 3 changes are waiting, and nothing is lost"
      />
    </Frame>
  );
}

function SpacesFigure() {
  const spaces = [
    ['bg-emerald-600', 'Reading', '214 memories', 'Everyone here'],
    ['bg-sky-600', 'Postgres', '61 memories', 'Everyone here'],
    ['bg-rose-600', 'Job search', '18 memories', 'Only me'],
    ['bg-amber-600', 'Kitchen', '40 memories', 'On the web'],
  ] as const;
  return (
    <Frame label="Four spaces with their colours, sizes and who may read them" className="p-3">
      <div className="grid grid-cols-2 gap-3">
        {spaces.map(([color, name, count, who]) => (
          <div key={name} className="rounded-card border border-line p-4">
            <span className={clsx('block h-1.5 w-10 rounded-full', color)} />
            <p className="mt-3 text-sm font-medium">{name}</p>
            <p className="text-xs text-ink-muted">{count}</p>
            <p className="mt-2 text-2xs text-ink-faint">{who}</p>
          </div>
        ))}
      </div>
    </Frame>
  );
}

function ShareFigure() {
  const choices = [
    ['lock', 'Only me', false],
    ['globe', 'Anyone on the web, listed on your public page', true],
  ] as const;
  return (
    <Frame
      label="Sharing a space: a choice between only me and anyone on the web, with what becomes visible in numbers"
      className="p-5"
    >
      <p className="text-sm font-semibold">Share “Kitchen”</p>
      <div className="mt-4 space-y-2">
        {choices.map(([icon, text, chosen]) => (
          <p
            key={text}
            className={clsx(
              'flex items-center gap-3 rounded-card border px-3 py-2.5 text-sm',
              chosen ? 'border-primary bg-primary-soft text-primary-soft-ink' : 'border-line text-ink-muted',
            )}
          >
            <SiteIcon name={icon} className="size-4 shrink-0" />
            {text}
          </p>
        ))}
      </div>
      <p className="mt-4 text-xs leading-5 text-ink-muted">
        40 memories become readable: titles, summaries, links and tags. Your notes stay with you.
      </p>
    </Frame>
  );
}

function CaptureFigure() {
  return (
    <Frame label="Quick capture: two pasted links, about to be saved as two memories" className="p-4">
      <p className="rounded-card border border-line-control p-3 text-sm leading-6">
        <span className="text-primary-text">https://sqlite.org/howitworks.html</span>
        <br />
        <span className="text-primary-text">https://www.postgresql.org/docs/18/</span>
      </p>
      <div className="mt-3 flex items-center justify-between text-xs text-ink-muted">
        <span>Two links</span>
        <span className="rounded-control bg-primary px-3 py-1.5 font-medium text-primary-ink">Save</span>
      </div>
    </Frame>
  );
}

/** Figure name in content → drawing. */
export const FIGURES = {
  capture: CaptureFigure,
  search: SearchFigure,
  offline: OfflineFigure,
  spaces: SpacesFigure,
  share: ShareFigure,
} as const;

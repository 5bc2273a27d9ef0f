/**
 * Every primitive in its states on one page, for the tests of system preferences and for looking at.
 * Example words only; nothing here is shipped.
 */
import { Archive, Bell, FileText, MoreHorizontal, Pencil, Plus, Search, Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { Avatar } from '#client/ui/avatar.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { Button } from '#client/ui/button.tsx';
import { Checkbox } from '#client/ui/checkbox.tsx';
import { ColorSwatchPicker } from '#client/ui/color-swatch-picker.tsx';
import { ContextMenu } from '#client/ui/context-menu.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { DropZone } from '#client/ui/drop-zone.tsx';
import { DropdownMenu } from '#client/ui/dropdown-menu.tsx';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { Field } from '#client/ui/field.tsx';
import { IconButton } from '#client/ui/icon-button.tsx';
import { Input } from '#client/ui/input.tsx';
import { Kbd } from '#client/ui/kbd.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { LiveRegion } from '#client/ui/live-region.tsx';
import { Markdown } from '#client/ui/markdown.tsx';
import type { MenuEntry } from '#client/ui/menu-entry.ts';
import { Meter } from '#client/ui/meter.tsx';
import { PlainIconButton } from '#client/ui/plain-icon-button.tsx';
import { Popover } from '#client/ui/popover.tsx';
import { Progress } from '#client/ui/progress.tsx';
import { RadioList } from '#client/ui/radio-list.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { ResizeHandle } from '#client/ui/resize-handle.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Select } from '#client/ui/select.tsx';
import { Skeleton } from '#client/ui/skeleton.tsx';
import { Switch } from '#client/ui/switch.tsx';
import { Tag } from '#client/ui/tag.tsx';
import { Textarea } from '#client/ui/textarea.tsx';
import { TooltipProvider } from '#client/ui/tooltip.tsx';
import { VisuallyHidden } from '#client/ui/visually-hidden.tsx';

const nothing = () => undefined;

export const SAMPLE_MARKDOWN = `# Reading notes

Memory palaces work because **places** are cheap to remember, see [the study](https://example.com/loci "t").

- [x] Read the paper
- [ ] Write a summary with \`code\`

> A quote that someone wrote long ago.

| Method | Recall |
| --- | ---: |
| Loci | 62 % |
| Rote | 31 % |

\`\`\`ts
const place = palace.rooms.at(-1);
\`\`\`

![Floor plan](https://example.com/plan.png)
`;

export const SAMPLE_ENTRIES: readonly MenuEntry[] = [
  { label: 'Edit', icon: <Pencil />, keys: 'e', run: nothing },
  { label: 'Archive', icon: <Archive />, keys: 'a', run: nothing },
  { kind: 'link', label: 'Open page', icon: <FileText />, to: '/page' },
  { kind: 'line' },
  { kind: 'check', label: 'Show tags', checked: true, set: nothing },
  {
    kind: 'choice',
    label: 'Sort by',
    value: 'created',
    options: [
      { value: 'created', label: 'Date created' },
      { value: 'title', label: 'Title' },
    ],
    set: nothing,
  },
  { kind: 'sub', label: 'Move to', entries: [{ label: 'Inbox', run: nothing }] },
  { kind: 'line' },
  { label: 'Delete', icon: <Trash2 />, keys: '#', tone: 'danger', run: nothing },
];

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-8 break-inside-avoid">
      <h2 className="mb-3 text-xs font-medium text-ink-faint">{title}</h2>
      <div className="flex flex-col gap-3">{children}</div>
    </section>
  );
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-2">{children}</div>;
}

function Buttons() {
  return (
    <Section title="Buttons">
      <Row>
        <Button variant="primary" icon={<Plus />}>
          New memory
        </Button>
        <Button>Secondary</Button>
        <Button variant="soft">Soft</Button>
        <Button variant="ghost">Ghost</Button>
        <Button variant="danger">Delete space</Button>
        <Button variant="quietDanger">Remove</Button>
      </Row>
      <Row>
        <Button size="sm">Small</Button>
        <Button size="lg" variant="primary">
          Large
        </Button>
        <Button disabled>Disabled</Button>
        <Button variant="primary" loading>
          Saving
        </Button>
        <LinkButton to="/docs" variant="ghost">
          Read the docs
        </LinkButton>
      </Row>
      <Row>
        <IconButton label="Search" icon={<Search />} />
        <IconButton label="Notifications" icon={<Bell />} size="sm" variant="secondary" />
        <IconButton label="Tiny" icon={<Plus />} size="xs" />
        <CopyButton text="loci" label="Copy link" />
        <CopyButton text="loci" label="Copy key" iconOnly />
        <DropdownMenu
          trigger={<PlainIconButton label="More" icon={<MoreHorizontal />} />}
          entries={SAMPLE_ENTRIES}
        />
        <Popover trigger={<Button>Popover</Button>} label="Filter">
          Popover content
        </Popover>
      </Row>
    </Section>
  );
}

function Fields() {
  return (
    <Section title="Fields">
      <Field label="Workspace name" hint="Shown to members only." required>
        <Input placeholder="Acme" />
      </Field>
      <Field label="E-mail" error="Invalid email">
        <Input type="email" defaultValue="ada@" />
      </Field>
      <Field label="Search">
        <Input icon={<Search />} placeholder="Search memories" after={<Kbd keys="/" />} />
      </Field>
      <Field label="Notes">
        <Textarea placeholder="Write in Markdown" />
      </Field>
      <Field label="Position">
        <Select
          defaultValue="member"
          options={[
            { value: 'owner', label: 'Owner' },
            { value: 'admin', label: 'Admin' },
            { value: 'member', label: 'Member' },
          ]}
        />
      </Field>
      <Input aria-label="Disabled" disabled defaultValue="Cannot be changed" />
    </Section>
  );
}

function Choices() {
  const [visibility, setVisibility] = useState('private');
  const [layout, setLayout] = useState('grid');
  const [color, setColor] = useState('emerald');
  const [on, setOn] = useState(true);
  return (
    <Section title="Choices">
      <Checkbox
        label="Include notes"
        hint="Notes become readable for everyone."
        checked={on}
        onCheckedChange={setOn}
      />
      <Checkbox label="All selected" checked="mixed" onCheckedChange={nothing} />
      <Switch
        label="Single-key shortcuts"
        hint="Combinations keep working."
        checked={on}
        onCheckedChange={setOn}
      />
      <Switch label="Digest by mail" checked={false} onCheckedChange={nothing} />
      <RadioList
        label="Who can see this"
        value={visibility}
        onValueChange={setVisibility}
        options={[
          { value: 'private', label: 'Only me', hint: 'No one else, not even admins.', group: 'Private' },
          { value: 'workspace', label: 'Workspace', hint: 'All members of Acme.', group: 'Shared' },
          {
            value: 'public',
            label: 'Public',
            hint: 'Anyone on the web, and search engines.',
            group: 'Shared',
          },
        ]}
      />
      <SegmentedControl
        label="Layout"
        value={layout}
        onValueChange={setLayout}
        options={[
          { value: 'grid', label: 'Grid' },
          { value: 'list', label: 'List' },
        ]}
      />
      <ColorSwatchPicker
        label="Colour"
        value={color}
        onValueChange={setColor}
        swatches={[
          { value: 'emerald', name: 'Emerald', color: 'var(--emerald)' },
          { value: 'lake', name: 'Lake', color: 'var(--lake)' },
          { value: 'ochre', name: 'Ochre', color: 'var(--ochre)' },
          { value: 'slate', name: 'Slate', color: 'var(--slate)' },
        ]}
      />
    </Section>
  );
}

function Marks() {
  return (
    <Section title="Marks">
      <Row>
        <Badge>Draft</Badge>
        <Badge tone="primary">Completed</Badge>
        <Badge tone="info">Processing</Badge>
        <Badge tone="warning">Pending</Badge>
        <Badge tone="danger">Failed</Badge>
      </Row>
      <Row>
        <Tag name="reading" />
        <Tag name="removable" onRemove={nothing} />
      </Row>
      <Row>
        <Avatar name="Ada Lovelace" size="lg" />
        <Avatar name="Grace Hopper" />
        <Avatar name="Alan" size="sm" />
        <Avatar name="Acme" square />
        {['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((seed) => (
          <Avatar key={seed} name={`${seed} Person`} seed={seed} />
        ))}
      </Row>
      <Row>
        <Kbd keys="g h" />
        <Kbd keys="$mod+k" />
        <Kbd keys="[Shift]+?" />
        <RelativeTime at={'2026-01-01T12:00:00Z'} className="text-ink-faint" />
      </Row>
      <Progress label="Import" value={0.4} />
      <Meter label="Storage" value={4.5} max={5} text="4.5 GB of 5 GB" />
      <Skeleton className="h-16" />
    </Section>
  );
}

function Surfaces() {
  return (
    <>
      <Section title="Context menu and panes">
        <ContextMenu entries={SAMPLE_ENTRIES}>
          <div className="relative rounded-card border border-line bg-raised p-4">
            Right click here
            <ResizeHandle
              label="Width of the sidebar"
              value={240}
              initial={240}
              min={180}
              max={400}
              onResize={nothing}
            />
          </div>
        </ContextMenu>
      </Section>
      <Section title="Empty state">
        <div className="rounded-card border border-line">
          <EmptyState title="Nothing saved yet" action={<Button variant="primary">Save a memory</Button>}>
            Paste a link, drop a file or write a note.
          </EmptyState>
        </div>
      </Section>
      <Section title="Drop zone">
        <DropZone label="Drop files or choose" hint="Up to 25 MB each" onFiles={nothing} />
      </Section>
    </>
  );
}

/** All sections in columns. */
export function Gallery() {
  return (
    <MemoryRouter>
      <TooltipProvider>
        <main className="min-h-dvh bg-paper p-4 text-ink sm:p-8">
          <h1 className="mb-6 text-xl font-semibold tracking-tight">Primitives</h1>
          <div className="gap-10 md:columns-2 xl:columns-3">
            <Buttons />
            <Fields />
            <Choices />
            <Marks />
            <Surfaces />
            <Section title="Markdown">
              <Markdown source={SAMPLE_MARKDOWN} />
            </Section>
          </div>
          <VisuallyHidden>End of the gallery</VisuallyHidden>
          <LiveRegion text="" />
        </main>
      </TooltipProvider>
    </MemoryRouter>
  );
}

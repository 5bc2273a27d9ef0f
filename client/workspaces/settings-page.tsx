/**
 * `/{workspace_slug}/settings`: what the workspace is called, who is in it, and how the app looks on this device.
 * Everything is read from the replica; changes are mutations and work offline.
 */
import { useState, type FormEvent, type ReactNode } from 'react';
import { LIMITS } from '#shared/constants.ts';
import { displayName } from '#shared/accounts/user.ts';
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { openImport } from '#client/shell/import-state.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { useQuery } from '#client/replica/use-query.ts';
import { useActor, useCan, useWorkspace } from '#client/workspaces/queries.ts';
import { setColorMode, useColorMode } from '#client/shell/color-mode.ts';
import { PageBar } from '#client/shell/page-bar.tsx';
import { usePageTitle } from '#client/shell/page-title.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { setShortcutsEnabled, useShortcutsEnabled } from '#client/shell/shortcuts.ts';
import { showToast } from '#client/shell/toasts.ts';
import { Avatar } from '#client/ui/avatar.tsx';
import { Button } from '#client/ui/button.tsx';
import { Field } from '#client/ui/field.tsx';
import { Input } from '#client/ui/input.tsx';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';
import { Switch } from '#client/ui/switch.tsx';
import { Textarea } from '#client/ui/textarea.tsx';

const MODES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
] as const;

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4 border-b border-line pb-8 last:border-0">
      <h2 className="text-sm font-semibold">{title}</h2>
      {children}
    </section>
  );
}

/** Name and description; read as text by those who may not change them. */
function WorkspaceForm({ workspace }: { workspace: Workspace }) {
  const [name, setName] = useState(workspace.name);
  const [description, setDescription] = useState(workspace.description ?? '');
  const changed = name.trim() !== workspace.name || description !== (workspace.description ?? '');
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    mutate('workspace.update', { name: name.trim(), description: description.trim() || null }).then(
      () => showToast({ title: 'Saved' }),
      showProblem,
    );
  };
  return (
    <form onSubmit={handleSubmit} className="flex flex-col gap-4">
      <Field label="Name" error={name.trim() === '' ? 'Required' : undefined}>
        <Input value={name} maxLength={LIMITS.name} onChange={(event) => setName(event.target.value)} />
      </Field>
      <Field label="Description">
        <Textarea
          value={description}
          maxLength={LIMITS.description}
          onChange={(event) => setDescription(event.target.value)}
        />
      </Field>
      <div>
        <Button type="submit" variant="primary" disabled={!changed || name.trim() === ''}>
          Save
        </Button>
      </div>
    </form>
  );
}

function Members() {
  const members = useQuery((view) => view.list('workspace_member'), []);
  const { userId } = useActor();
  return (
    <ul className="divide-y divide-line/60">
      {members.map((member) => (
        <li key={member.id} className="flex items-center gap-3 py-2.5">
          <Avatar name={displayName(member)} />
          <span className="min-w-0 flex-1 truncate">
            {displayName(member)}
            {member.userId === userId && <span className="text-ink-faint"> (you)</span>}
          </span>
          <span className="text-xs text-ink-muted">{member.position}</span>
        </li>
      ))}
    </ul>
  );
}

function ThisDevice() {
  const { mode } = useColorMode();
  const shortcuts = useShortcutsEnabled();
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span>Colours</span>
        <SegmentedControl label="Colours" options={MODES} value={mode} onValueChange={setColorMode} />
      </div>
      <Switch
        label="Single-key shortcuts"
        hint="Combinations with Ctrl or Cmd keep working."
        checked={shortcuts}
        onCheckedChange={setShortcutsEnabled}
      />
    </>
  );
}

/** The page. */
export function SettingsPage() {
  usePageTitle('Settings');
  const workspace = useWorkspace();
  const can = useCan();
  return (
    <>
      <PageBar title="Settings" />
      <div className="mx-auto flex w-full max-w-2xl flex-col gap-8 px-3 pt-6 pb-28 sm:px-5 md:pb-16">
        {workspace && (
          <Section title="Workspace">
            {can('workspace.update') ? (
              <WorkspaceForm key={workspace.id} workspace={workspace} />
            ) : (
              <p>
                {workspace.name}
                {workspace.description && <span className="text-ink-muted"> · {workspace.description}</span>}
              </p>
            )}
            <p className="text-xs text-ink-faint">Address: /{workspace.slug}</p>
          </Section>
        )}
        {can('memory.create') && (
          <Section title="Import">
            <p className="text-ink-muted">
              Bring in a zip of Markdown files. Importing the same zip again changes nothing.
            </p>
            <div>
              <Button onClick={() => openImport()}>Import notes from a zip</Button>
            </div>
          </Section>
        )}
        <Section title="Members">
          <Members />
        </Section>
        <Section title="On this device">
          <ThisDevice />
        </Section>
      </div>
    </>
  );
}

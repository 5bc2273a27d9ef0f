/**
 * Shown instead of a workspace that its reader was removed from or that was deleted: says so, offers the unsaved changes until
 * they were copied, saved elsewhere or discarded, and links onward.
 */
import { Download, FolderInput } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { newId } from '#shared/ids.ts';
import { pathTo } from '#shared/pages.ts';
import { refreshPerson, usePerson, type Membership } from '#client/api/session.ts';
import { useReplica } from '#client/replica/replica-context.tsx';
import type { Problem } from '#client/replica/status.ts';
import { exportProblems, useSyncStatus } from '#client/replica/use-sync-status.ts';
import { downloadText } from '#client/shell/download-text.ts';
import { usePageTitle } from '#client/shell/page-title.ts';
import { changeLabel } from '#client/shell/sync-labels.ts';
import { showToast } from '#client/shell/toasts.ts';
import { typedWords, wordsAsText } from '#client/shell/typed-words.ts';
import { useBusy } from '#client/shell/use-busy.ts';
import { Button } from '#client/ui/button.tsx';
import { CopyButton } from '#client/ui/copy-button.tsx';
import { Field } from '#client/ui/field.tsx';
import { LinkButton } from '#client/ui/link-button.tsx';
import { RelativeTime } from '#client/ui/relative-time.tsx';
import { Select } from '#client/ui/select.tsx';
import { countOf } from '#shared/english.ts';

function Change({ problem, target }: { problem: Problem; target: Membership | undefined }) {
  const replica = useReplica();
  const { discard } = useSyncStatus();
  const { busy, run } = useBusy();
  const words = typedWords(problem.args);
  const save = (to: Membership) =>
    run(async () => {
      if (!words) return;
      await replica.saveMemory(to.id, { id: newId('memory'), origin: 'manual_entry', ...words });
      await discard(problem);
      showToast({ title: `Saved to ${to.name}` });
    });
  return (
    <li className="rounded-card border border-line bg-raised p-4">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-medium">{changeLabel(problem.name)}</span>
        <span className="text-xs text-ink-muted">
          <RelativeTime at={problem.at} />
        </span>
      </p>
      {words && <p className="mt-2 break-words whitespace-pre-wrap text-ink-muted">{wordsAsText(words)}</p>}
      <div className="mt-3 flex flex-wrap gap-1.5">
        {words && target && (
          <Button size="sm" icon={<FolderInput />} disabled={busy} onClick={() => void save(target)}>
            Save to {target.name}
          </Button>
        )}
        <CopyButton text={words ? wordsAsText(words) : exportProblems([problem])} variant="ghost" size="sm" />
        <Button
          size="sm"
          variant="quietDanger"
          disabled={busy}
          onClick={() => void run(() => discard(problem))}
        >
          Discard
        </Button>
      </div>
    </li>
  );
}

/** Changes that could not be saved, and the workspaces they can be copied to. */
function Kept({ problems, others }: { problems: readonly Problem[]; others: readonly Membership[] }) {
  const [chosen, setChosen] = useState<string>();
  const target = others.find(({ id }) => id === chosen) ?? others[0];
  return (
    <section aria-labelledby="kept-changes" className="mt-8">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="kept-changes" className="font-medium">
          {countOf(problems.length, 'change')} not saved
        </h2>
        <Button
          size="sm"
          variant="ghost"
          icon={<Download />}
          onClick={() => downloadText('loci-changes.json', exportProblems(problems))}
        >
          Download a copy
        </Button>
      </div>
      {others.length > 1 && (
        <Field label="Save to" className="mt-3">
          <Select
            value={target?.id}
            onChange={(event) => setChosen(event.target.value)}
            options={others.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Field>
      )}
      <ul className="mt-3 flex flex-col gap-3">
        {problems.map((problem) => (
          <Change key={`${problem.realmId}/${problem.id}`} problem={problem} target={target} />
        ))}
      </ul>
    </section>
  );
}

/** Instead of the whole dashboard. */
export function AccessEnded({ workspace, mark }: { workspace: Membership; mark: ReactNode }) {
  const title = `You no longer have access to ${workspace.name}.`;
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  const { problems, pending } = useSyncStatus();
  const others = (usePerson()?.workspaces ?? []).filter(({ id }) => id !== workspace.id);
  const kept = problems.filter(({ realmId }) => realmId === workspace.id);
  const waiting = pending.filter(({ realmId }) => realmId === workspace.id).length;
  const [next] = others;
  useEffect(() => {
    heading.current?.focus();
  }, []);
  useEffect(() => {
    // The list of workspaces that this device remembers still has it when the replica was faster.
    refreshPerson().catch((error: unknown) => console.info('The workspaces could not be refreshed', error));
  }, []);
  return (
    <div className="flex min-h-dvh flex-col bg-sunk">
      <header className="px-4 py-5 sm:px-6">{mark}</header>
      <main id="main" tabIndex={-1} className="mx-auto w-full max-w-xl flex-1 px-4 pt-6 pb-24 outline-none">
        <h1 ref={heading} tabIndex={-1} className="font-serif text-page break-words outline-none">
          {title}
        </h1>
        <p className="mt-1.5 text-ink-muted">
          {workspace.isGuest === true
            ? 'Nothing of it is shared with you any more.'
            : 'You were removed from the workspace, or it was deleted.'}
          {kept.length > 0 &&
            ' What you did here in the meantime could not be saved there. It is kept until you save it elsewhere or discard it.'}
        </p>
        <output className="block text-ink-muted">
          {waiting > 0 && (
            <span className="mt-1.5 block">{countOf(waiting, 'change')} waiting for an answer…</span>
          )}
        </output>
        <div className="mt-5 flex flex-wrap gap-2">
          {next && (
            <LinkButton variant="primary" to={pathTo('workspace_home', { workspace_slug: next.slug })}>
              Open {next.name}
            </LinkButton>
          )}
          <LinkButton variant={next ? 'secondary' : 'primary'} to={pathTo('create_workspace', {})}>
            Create workspace
          </LinkButton>
        </div>
        {kept.length > 0 && <Kept problems={kept} others={others} />}
      </main>
    </div>
  );
}

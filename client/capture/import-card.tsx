/**
 * The running import beside the sync indicator: a line in the sidebar, on phones a small bar above the bottom bar.
 * A press opens the dialog with everything behind it.
 */
import { clsx } from 'clsx';
import { FileDown } from 'lucide-react';
import { importStore } from '#client/capture/import-store.ts';
import { importLine, importShare } from '#client/capture/import-messages.ts';
import { useStore } from '#client/shell/external-store.ts';
import { openImport, useImportDialog } from '#client/shell/import-state.ts';
import { sidebarRow } from '#client/shell/sidebar-link.tsx';
import { Progress } from '#client/ui/progress.tsx';
import { Tooltip } from '#client/ui/tooltip.tsx';

/** At the foot of the sidebar; nothing while there is no import. */
export function ImportLine({ collapsed }: { collapsed: boolean }) {
  const current = useStore(importStore);
  const words = importLine(current);
  if (words === '') return null;
  const share = importShare(current);
  const isWarning =
    current.state === 'refused' || (current.state === 'job' && current.job.status === 'failed');
  const button = (
    <button
      type="button"
      aria-label={`Import: ${words}`}
      onClick={() => openImport()}
      className={clsx(sidebarRow(collapsed), 'text-xs!', isWarning && 'text-warning-text!')}
    >
      <FileDown aria-hidden="true" />
      {!collapsed && <span className="min-w-0 flex-1 truncate text-start">{words}</span>}
      {!collapsed && share !== undefined && share < 1 && (
        <span className="tabular-nums">{Math.round(share * 100)}%</span>
      )}
    </button>
  );
  if (!collapsed) return button;
  return (
    <Tooltip text={words} side="right" describes={false}>
      {button}
    </Tooltip>
  );
}

/** On phones, where the sidebar is out of sight. */
export function ImportBar() {
  const current = useStore(importStore);
  const { open } = useImportDialog();
  const words = importLine(current);
  if (words === '' || open) return null;
  return (
    <section
      aria-label="Import"
      data-print="hide"
      className="fixed inset-x-3 bottom-[calc(var(--bottom-bar,0px)+env(safe-area-inset-bottom)+0.5rem)] z-20 md:hidden"
    >
      <button
        type="button"
        onClick={() => openImport()}
        className="flex w-full flex-col gap-2 rounded-card border border-line bg-raised px-3 py-2.5 text-start text-xs font-medium shadow-pop"
      >
        <span className="flex items-center gap-2">
          <FileDown aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
          <span className="min-w-0 flex-1 truncate">{words}</span>
        </span>
        {(current.state === 'sending' || current.state === 'job') && (
          <Progress label="Import" value={importShare(current)} />
        )}
      </button>
    </section>
  );
}

/** Whether visitors may ask the public spaces of the workspace: a mutation, so it works offline. */
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Switch } from '#client/ui/switch.tsx';

/** Editable for those who may change the workspace; others see the current setting. */
export function VisitorQuestions({
  workspace,
  disabled = false,
}: {
  workspace: Workspace;
  disabled?: boolean;
}) {
  return (
    <Switch
      label="Visitors may ask your public spaces"
      hint="Visitors can ask questions on the page of every public space of this workspace. Answers quote what the space shows."
      // A row that this device got before there was the switch does not have it.
      checked={workspace.publicChat ?? false}
      disabled={disabled}
      onCheckedChange={(publicChat) => void mutate('workspace.update', { publicChat }).catch(showProblem)}
    />
  );
}

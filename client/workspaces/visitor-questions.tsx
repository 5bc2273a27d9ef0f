/**
 * Whether visitors may ask the public spaces of the workspace: a mutation, so it works offline. Says that nothing answers
 * yet, as the public pages do.
 */
import type { Workspace } from '#shared/workspaces/workspace.ts';
import { mutate } from '#client/replica/current-replica.ts';
import { showProblem } from '#client/shell/problem-toast.ts';
import { Switch } from '#client/ui/switch.tsx';

/** For those who may change the workspace. */
export function VisitorQuestions({ workspace }: { workspace: Workspace }) {
  return (
    <Switch
      label="Visitors may ask your public spaces"
      hint="Visitors can ask questions on your public spaces where answers are available."
      // A row that this device got before there was the switch does not have it.
      checked={workspace.publicChat ?? false}
      onCheckedChange={(publicChat) => void mutate('workspace.update', { publicChat }).catch(showProblem)}
    />
  );
}

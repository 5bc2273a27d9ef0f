/** The colours of this browser, for every account. They are stored there and need no server. */
import { setColorMode } from '#client/shell/color-mode.ts';
import { useColorMode } from '#client/shell/use-color-mode.ts';
import { SegmentedControl } from '#client/ui/segmented-control.tsx';

const MODES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'System' },
] as const;

export function ColorChoice() {
  const { mode } = useColorMode();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span>Colours</span>
      <SegmentedControl label="Colours" options={MODES} value={mode} onValueChange={setColorMode} />
    </div>
  );
}

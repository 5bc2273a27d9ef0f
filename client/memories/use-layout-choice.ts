/**
 * List, grid or list with a reading pane, remembered in this browser for each place that shows memories.
 * A preference only: losing it costs one click.
 */
import { useState } from 'react';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';
import type { CollectionLayout } from '#client/memories/use-grid-window.ts';

/** `place` names the list, `home` or a space's id. */
export function useLayoutChoice(place: string): [CollectionLayout, (layout: CollectionLayout) => void] {
  const key = `loci-layout-${place}`;
  const [layout, setLayout] = useState<CollectionLayout>(() => {
    const stored = readSetting(key);
    return stored === 'grid' || stored === 'split' ? stored : 'list';
  });
  const choose = (next: CollectionLayout) => {
    setLayout(next);
    writeSetting(key, next === 'list' ? undefined : next);
  };
  return [layout, choose];
}

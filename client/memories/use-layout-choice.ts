/**
 * How the memories of a place are laid out, remembered in this browser for each place that shows memories.
 * A preference only: losing it costs one click.
 */
import { useState } from 'react';
import { COLLECTION_LAYOUTS, type CollectionLayout } from '#client/memories/collection-plan.ts';
import { readSetting, writeSetting } from '#client/shell/local-setting.ts';

/** `place` names the list, `home` or a space's id. */
export function useLayoutChoice(place: string): [CollectionLayout, (layout: CollectionLayout) => void] {
  const key = `loci-layout-${place}`;
  const [layout, setLayout] = useState<CollectionLayout>(() => {
    const stored = readSetting(key);
    return COLLECTION_LAYOUTS.find((known) => known === stored) ?? 'list';
  });
  const choose = (next: CollectionLayout) => {
    setLayout(next);
    writeSetting(key, next === 'list' ? undefined : next);
  };
  return [layout, choose];
}

/**
 * What can be dragged inside the app, as a typed payload between the row that is taken and the place it is dropped on.
 * Wraps the drag library; each drag has an equivalent menu item, so that no action needs a pointer.
 */
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isId, type Id } from '#shared/ids.ts';

type MemoryIds = readonly Id<'memory'>[];

const KIND = 'memories';

function memoriesOf(data: Record<string | symbol, unknown>): MemoryIds {
  const ids: unknown = data['ids'];
  if (data['kind'] !== KIND || !Array.isArray(ids)) return [];
  return ids.filter((id: unknown) => isId('memory', id));
}

/** Makes the element a drag handle for memories; `ids` is called when the drag begins. */
export function useMemoryDrag<E extends HTMLElement>(ids: () => MemoryIds, enabled: boolean) {
  const ref = useRef<E>(null);
  const current = useEffectEvent(ids);
  useEffect(() => {
    const element = ref.current;
    if (!element || !enabled) return undefined;
    return draggable({ element, getInitialData: () => ({ kind: KIND, ids: current() }) });
  }, [enabled]);
  return ref;
}

/** Takes memories dropped on the element; `over` is true while they hover. */
export function useMemoryDrop<E extends HTMLElement>(onDrop: (ids: MemoryIds) => void, enabled: boolean) {
  const ref = useRef<E>(null);
  const [over, setOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const element = ref.current;
    if (!element || !enabled) return undefined;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => memoriesOf(source.data).length > 0,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        drop(memoriesOf(source.data));
      },
    });
  }, [enabled]);
  return { ref, over };
}

/** Whether memories are being dragged right now, anywhere on the page. */
export function useMemoriesDragged(): boolean {
  const [dragged, setDragged] = useState(false);
  useEffect(
    () =>
      monitorForElements({
        canMonitor: ({ source }) => memoriesOf(source.data).length > 0,
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
    [],
  );
  return dragged;
}

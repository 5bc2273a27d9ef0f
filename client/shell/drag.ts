/**
 * Typed payloads for drag and drop inside the app. Wraps the drag library; each drag has an equivalent menu item, so
 * that every action works without a pointer.
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
const SPACE_KIND = 'space';

type DragData = Record<string | symbol, unknown>;

function memoriesOf(data: DragData): MemoryIds {
  const ids: unknown = data['ids'];
  if (data['kind'] !== KIND || !Array.isArray(ids)) return [];
  return ids.filter((id: unknown) => isId('memory', id));
}

function spaceOf(data: DragData): Id<'space'> | undefined {
  const id: unknown = data['id'];
  return data['kind'] === SPACE_KIND && isId('space', id) ? id : undefined;
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

/** Accepts memories dropped on the element; `over` is true while they hover. */
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

/** Target of a drag: into the row, or beside it. */
export type DropPlace = 'into' | 'above' | 'below';

interface SpaceRowDrop {
  spaceId: Id<'space'>;
  /** It can be dragged, and other spaces can be dropped beside it. */
  movable: boolean;
  /** Memories can be dropped into it. */
  fileable: boolean;
  onMemories: (ids: MemoryIds) => void;
  onSpace: (id: Id<'space'>, place: DropPlace) => void;
}

/** The row of a space in a list that has an order; `over` is the target position of the dragged item. */
export function useSpaceRow<E extends HTMLElement>(row: SpaceRowDrop) {
  const { spaceId, movable, fileable } = row;
  const ref = useRef<E>(null);
  const [over, setOver] = useState<DropPlace>();
  const takeMemories = useEffectEvent(row.onMemories);
  const takeSpace = useEffectEvent(row.onSpace);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const placeOf = (data: DragData, y: number): DropPlace => {
      if (memoriesOf(data).length > 0) return 'into';
      const { top, height } = element.getBoundingClientRect();
      return y < top + height / 2 ? 'above' : 'below';
    };
    const endDrop = dropTargetForElements({
      element,
      canDrop: ({ source: { data } }) => {
        if (memoriesOf(data).length > 0) return fileable;
        const dragged = spaceOf(data);
        return movable && dragged !== undefined && dragged !== spaceId;
      },
      onDrag: ({ source, location }) => setOver(placeOf(source.data, location.current.input.clientY)),
      onDragLeave: () => setOver(undefined),
      onDrop: ({ source: { data }, location }) => {
        setOver(undefined);
        const dragged = spaceOf(data);
        if (dragged === undefined) takeMemories(memoriesOf(data));
        else takeSpace(dragged, placeOf(data, location.current.input.clientY));
      },
    });
    const endDrag = movable
      ? draggable({ element, getInitialData: () => ({ kind: SPACE_KIND, id: spaceId }) })
      : undefined;
    return () => {
      endDrop();
      endDrag?.();
    };
  }, [spaceId, movable, fileable]);
  return { ref, over };
}

/** Accepts a space dropped on the element, such as the heading of a list; `over` is true while one hovers. */
export function useSpaceDrop<E extends HTMLElement>(onDrop: (id: Id<'space'>) => void) {
  const ref = useRef<E>(null);
  const [over, setOver] = useState(false);
  const drop = useEffectEvent(onDrop);
  useEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => spaceOf(source.data) !== undefined,
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false);
        const dragged = spaceOf(source.data);
        if (dragged !== undefined) drop(dragged);
      },
    });
  }, []);
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

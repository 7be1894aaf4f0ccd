import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { attachClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/attach-closest-edge';
import { extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge/extract-closest-edge';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Block } from './design.ts';
import { MAIN_LIST, moveBlock, type Place } from './move-block.ts';

/*
 * Blocks are dragged by their heads: an input in a draggable element could not be selected with the mouse in every browser. With
 * the keyboard, buttons move a block (block-moves.tsx).
 */

/** The dragged block. */
interface Dragged {
  readonly block: string;
  readonly isColumns: boolean;
}
const draggedOf = (data: Record<string | symbol, unknown>): Dragged | undefined =>
  typeof data.block === 'string' ? { block: data.block, isColumns: data.isColumns === true } : undefined;

/** Whether a list takes what is dragged: columns cannot be in a column. */
function takes(list: string, data: Record<string | symbol, unknown>): boolean {
  const dragged = draggedOf(data);
  return dragged !== undefined && (list === MAIN_LIST || !dragged.isColumns);
}

/** Moves the blocks of an email when they are dropped. */
export function useBlockDrop(blocks: readonly Block[], onChange: (blocks: readonly Block[]) => void): void {
  useEffect(() =>
    monitorForElements({
      onDrop({ source, location }) {
        const dragged = draggedOf(source.data);
        const place = placeOf(location.current.dropTargets[0]?.data);
        if (!dragged || !place) return;
        const moved = moveBlock(blocks, dragged.block, place);
        if (moved !== blocks) onChange(moved);
      },
    }),
  );
}

function placeOf(target: Record<string | symbol, unknown> | undefined): Place | undefined {
  if (typeof target?.list !== 'string') return undefined;
  const { list, id, next } = target as {
    readonly list: string;
    readonly id?: string;
    readonly next?: string;
  };
  const before = extractClosestEdge(target) === 'top' ? id : next;
  return { list, before: before ?? null };
}

/** Makes a block draggable, and a place where others are dropped. `edge` is the side on which the dragged block would be inserted. */
export function useBlockDrag(
  { id, type }: Block,
  list: string,
  next: string | undefined,
): {
  readonly row: RefObject<HTMLLIElement | null>;
  readonly head: RefObject<HTMLDivElement | null>;
  readonly edge: string | undefined;
} {
  const row = useRef<HTMLLIElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const [edge, setEdge] = useState<string>();
  useEffect(() => {
    const [element, handle] = [row.current!, head.current!];
    return combine(
      draggable({
        element: handle,
        getInitialData: () => ({ block: id, isColumns: type === 'columns' }) satisfies Dragged,
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => source.data.block !== id && takes(list, source.data),
        getData: ({ input }) =>
          attachClosestEdge({ list, id, next }, { element, input, allowedEdges: ['top', 'bottom'] }),
        // Between two blocks, the last one stays the target.
        getIsSticky: () => true,
        onDrag({ self, location }) {
          const isInnermost = location.current.dropTargets[0]?.element === element;
          setEdge(isInnermost ? (extractClosestEdge(self.data) ?? undefined) : undefined);
        },
        onDragLeave: () => setEdge(undefined),
        onDrop: () => setEdge(undefined),
      }),
    );
  }, [id, type, list, next]);
  return { row, head, edge };
}

/** Makes a list a place where blocks are dropped at its end. Returns whether one is over it, and not over one of its blocks. */
export function useListDrop(list: string): {
  readonly area: RefObject<HTMLElement | null>;
  readonly isOver: boolean;
} {
  const area = useRef<HTMLElement>(null);
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const element = area.current!;
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => takes(list, source.data),
      getData: () => ({ list }),
      onDropTargetChange: ({ location }) => setOver(location.current.dropTargets[0]?.element === element),
      onDrop: () => setOver(false),
    });
  }, [list]);
  return { area, isOver };
}

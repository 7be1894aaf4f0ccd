import type { Block, Leaf } from './design.ts';

/** List of the blocks of an email that are not in a column. */
export const MAIN_LIST = '';

/** Returns the name of the list of a column. */
export const columnList = (columnsId: string, index: number): string => `${columnsId}/${index}`;

/** Place of a block: in a list, before another block of it, or at its end (null). */
export interface Place {
  readonly list: string;
  readonly before: string | null;
}

/**
 * Moves a block to a place, also out of a column or into one. Returns the same blocks if there is no such block, and for columns
 * in a column.
 */
export function moveBlock(blocks: readonly Block[], id: string, place: Place): readonly Block[] {
  if (place.before === id) return blocks;
  const moved = find(blocks, id);
  if (!moved) return blocks;
  if (place.list === MAIN_LIST) return insert(without(blocks, id), moved, place.before);
  if (moved.type === 'columns') return blocks;
  return without(blocks, id).map((block) => {
    if (block.type !== 'columns') return block;
    const inserted = (leaves: readonly Leaf[], index: number) =>
      columnList(block.id, index) === place.list ? insert(leaves, moved, place.before) : leaves;
    return { ...block, columns: [inserted(block.columns[0], 0), inserted(block.columns[1], 1)] };
  });
}

function find(blocks: readonly Block[], id: string): Block | undefined {
  const all = blocks.flatMap((block) =>
    block.type === 'columns' ? [block, ...block.columns.flat()] : [block],
  );
  return all.find((block) => block.id === id);
}

function without(blocks: readonly Block[], id: string): Block[] {
  const others = <B extends Block>(list: readonly B[]) => list.filter((block) => block.id !== id);
  return others(blocks).map((block) =>
    block.type === 'columns'
      ? { ...block, columns: [others(block.columns[0]), others(block.columns[1])] }
      : block,
  );
}

function insert<B extends Block>(blocks: readonly B[], moved: B, before: string | null): readonly B[] {
  const index = blocks.findIndex((block) => block.id === before);
  return blocks.toSpliced(index === -1 ? blocks.length : index, 0, moved);
}

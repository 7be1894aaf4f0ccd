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

/** A column: the place of its columns in the email, and its place in them, both from 0. */
interface ColumnPlace {
  readonly block: number;
  readonly index: number;
}

/** Where a block is: its place in its list from 0, and the column of the list; null outside columns. */
interface Position {
  readonly index: number;
  readonly column: ColumnPlace | null;
}

/** A list that a block can be moved to: a column, or null for the email outside its columns. */
interface Target {
  readonly place: Place;
  readonly column: ColumnPlace | null;
}

/** Returns where a block is; undefined for an unknown id. */
export function positionOf(blocks: readonly Block[], id: string): Position | undefined {
  const isIt = (block: Block) => block.id === id;
  const index = blocks.findIndex(isIt);
  if (index !== -1) return { index, column: null };
  return columnsOf(blocks).flatMap(({ leaves, column }) => {
    const inside = leaves.findIndex(isIt);
    return inside === -1 ? [] : [{ index: inside, column }];
  })[0];
}

/**
 * Returns the other lists that a block can be moved to: the end of each column, and the email, behind the columns that it is in.
 * Empty for columns, which stay in the email.
 */
export function targetsOf(blocks: readonly Block[], id: string): readonly Target[] {
  const position = positionOf(blocks, id);
  if (!position || find(blocks, id)?.type === 'columns') return [];
  const { column: own } = position;
  const columns = columnsOf(blocks)
    .filter(({ column }) => column.block !== own?.block || column.index !== own.index)
    .map(({ list, column }) => ({ place: { list, before: null }, column }));
  if (own === null) return columns;
  return [
    ...columns,
    { place: { list: MAIN_LIST, before: blocks[own.block + 1]?.id ?? null }, column: null },
  ];
}

/** Every column of an email. */
const columnsOf = (blocks: readonly Block[]) =>
  blocks.flatMap((block, place) =>
    block.type === 'columns'
      ? block.columns.map((leaves, index) => ({
          list: columnList(block.id, index),
          leaves,
          column: { block: place, index } satisfies ColumnPlace,
        }))
      : [],
  );

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

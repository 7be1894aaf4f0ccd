import { type Block, readDesign } from './design.ts';

const isWithoutText = (block: Block): boolean =>
  block.type === 'columns'
    ? block.columns.flat().some(isWithoutText)
    : block.type === 'button' && block.text.trim() === '';

/** Whether an email of the block editor has a button without text. `blocks` is as stored; null for one without blocks. */
export const lacksButtonText = (blocks: unknown): boolean =>
  blocks !== null && readDesign(blocks).blocks.some(isWithoutText);

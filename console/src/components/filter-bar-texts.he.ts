import type { filterBar as en } from './filter-bar-texts.en.ts';

export const filterBar: typeof en = {
  add: 'סינון',
  remove: (name) => `הסרת הסינון ״${name}״`,
};

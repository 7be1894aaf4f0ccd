/** Texts of the line of filters above a list. */
export const filterBar = {
  add: 'Filter',
  remove: (name: string) => `Remove the filter “${name}”`,
};

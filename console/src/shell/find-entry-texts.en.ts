/** Texts of the field that filters a list of pages. */
export const findEntry = {
  settings: 'Find a setting',
  pages: 'Find a page',
  noSettings: 'No matching settings.',
  noPages: 'No matching pages.',
};

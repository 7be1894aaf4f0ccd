/** What lists are narrowed by. */
export const filters = {
  label: 'Filters',
  from: 'From',
  until: 'Until',
  all: 'All',
  clear: 'Clear filters',
  nothing: 'No results',
  nothingHint: 'Change the search, or clear the filters.',
};

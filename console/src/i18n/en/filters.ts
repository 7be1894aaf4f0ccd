/** What lists are narrowed by. */
export const filters = {
  label: 'Filters',
  from: 'From',
  until: 'Until',
  all: 'All',
  clear: 'Clear filters',
  nothing: 'Nothing matches',
  nothingHint: 'Change the search, or clear the filters.',
};

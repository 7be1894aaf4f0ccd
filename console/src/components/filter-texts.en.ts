/** Texts of list filters. */
export const filters = {
  label: 'Filters',
  period: 'Period',
  anyTime: 'Any time',
  ownDays: 'Choose dates',
  presets: {
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Last 7 days',
    month: 'Last 30 days',
    thisMonth: 'This month',
    lastMonth: 'Last month',
  },
  from: 'From',
  until: 'Until',
  all: 'All',
  clear: 'Clear filters',
  nothing: 'No results',
  nothingHint: 'Change the search, or clear the filters.',
};

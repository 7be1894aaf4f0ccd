import { chapter, row } from '../row.ts';

/** The interface, B6. */
export const contactLists = chapter({
  key: 'B6',
  title: 'B6: contact lists',
  bothForms: true,
  rows: [
    row(
      'newCL',
      '`newCL`: lists with names, phones and `df1` to `df6`; `identifiers` in the order of the lists',
    ),
    row(
      'newCL.errors',
      '`newCL`: a phone that is too short, too long, no number or given twice is told of in `errors` and not added',
    ),
    row('newCL.refused', '`newCL` without `cl` or `name`: 2, and nothing stored'),
    row('removeCL', '`removeCL`: lists by id; one that does not exist is told of in `errors`'),
    row('removeCL.refused', '`removeCL` without `cl.id`: 2'),
    row(
      'addNumCL',
      '`addNumCL`: adds; a number that is in the list already, and an unknown list, are told of in `errors`',
    ),
    row('addNumCL.refused', '`addNumCL` without `cl` or `destinations`: 2'),
    row(
      'rmNumCL',
      '`rmNumCL`: removes one or many; a number that is not there, and an unknown list, are told of in `errors`',
    ),
    row('rmNumCL.refused', '`rmNumCL` without `cl` or `destinations`: 2'),
    row(
      'getCL',
      '`getCL`: an entry for each number with `cl_id`, `phone`, `name`; an empty list once with an empty `phone`',
    ),
    row('getCLbyID', '`getCLbyID`: the entries of one list; unknown: 988; without `cl.id`: 2'),
    row('large', '100,000 rows in a request, and read back'),
    row('counts', 'counts stay exact whatever happens at once'),
    row('isolation', 'lists of another account do not exist'),
    row('dry run', 'counts and tells alike, stores nothing'),
    row('XML', 'in XML, `identifiers` holds `identifier`, `errors` holds `error`'),
  ],
});

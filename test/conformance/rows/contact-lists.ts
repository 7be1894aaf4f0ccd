import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const lists = inBothForms('sms-api/contact-lists', (form) => `contact lists, ${form}`);
const large = inFile('sms-api/contact-lists');
const missing = lists('what is missing or over a limit fails the call, and stores nothing');

/** The interface, B6. */
export const contactLists: Chapter = {
  title: 'B6: contact lists',
  bothForms: true,
  rows: [
    row(
      'newCL',
      '`newCL`: lists with names, phones and `df1` to `df6`; `identifiers` in the order of the lists',
      lists('newCL makes lists, and identifiers are in the order of the lists'),
    ),
    row(
      'newCL.errors',
      '`newCL`: a phone that is too short, too long, no number or given twice is told of in `errors` and not added',
      lists('newCL tells of each row that cannot be used, and takes the others'),
    ),
    row('newCL.refused', '`newCL` without `cl` or `name`: 2, and nothing stored', missing),
    row(
      'removeCL',
      '`removeCL`: lists by id; one that does not exist is told of in `errors`',
      lists('removeCL removes lists at once and their contacts soon'),
    ),
    row('removeCL.refused', '`removeCL` without `cl.id`: 2', missing),
    row(
      'addNumCL',
      '`addNumCL`: adds; a number that is in the list already, and an unknown list, are told of in `errors`',
      lists('addNumCL adds what is not in the list, and leaves what is'),
    ),
    row('addNumCL.refused', '`addNumCL` without `cl` or `destinations`: 2', missing),
    row(
      'rmNumCL',
      '`rmNumCL`: removes one or many; a number that is not there, and an unknown list, are told of in `errors`',
      lists('rmNumCL takes numbers out'),
    ),
    row('rmNumCL.refused', '`rmNumCL` without `cl` or `destinations`: 2', missing),
    row(
      'getCL',
      '`getCL`: an entry for each number with `cl_id`, `phone`, `name`; an empty list once with an empty `phone`',
      lists('getCL has an entry for each number, and one without a number for an empty list'),
      large('many lists are read page by page, with the empty ones among them'),
    ),
    row(
      'getCLbyID',
      '`getCLbyID`: the entries of one list; unknown: 988; without `cl.id`: 2',
      lists('getCL has an entry for each number, and one without a number for an empty list'),
      lists('removeCL removes lists at once and their contacts soon'),
      missing,
    ),
    row(
      'large',
      '100,000 rows in a request, and read back',
      lists('newCL makes lists, and identifiers are in the order of the lists'),
      large('a hundred thousand rows in one request, and read back'),
    ),
    row(
      'counts',
      'counts stay exact whatever happens at once',
      lists('addNumCL adds what is not in the list, and leaves what is'),
      large('counts stay exact when many add and remove the same numbers of the same lists at once'),
    ),
    row('isolation', 'lists of another account do not exist', lists('lists of another account do not exist')),
    row(
      'dry run',
      'counts and tells alike, stores nothing',
      lists('a dry run answers alike and stores nothing'),
    ),
    row(
      'XML',
      'in XML, `identifiers` holds `identifier`, `errors` holds `error`',
      lists('newCL makes lists, and identifiers are in the order of the lists'),
      inFile('sms-api/wire-encode')('encode'),
    ),
  ],
};

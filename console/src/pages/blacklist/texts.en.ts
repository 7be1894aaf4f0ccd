import { words } from '../../i18n/words.en.ts';

export const blacklist = {
  ...words,
  lead: 'Blocked numbers. Messages to them are not sent and not charged.',
  search: 'Search by number',
  add: 'Add numbers',
  addTitle: 'Add to the blacklist',
  numbersHint: 'Enter one number per line, in any format.',
  added: (added: number, present: number) =>
    present === 0 ? `${added} added` : `${added} added, ${present} already on the list`,
  unreadable: 'These are not phone numbers:',
  remove: 'Remove',
  removeTitle: 'Remove from the blacklist?',
  removeText: 'This number will get your messages again. Remove it only at the owner’s request.',
  reason: 'Reason',
  reasonHint: 'Stored with the account.',
  reasonMissing: 'Enter a reason.',
  removeAction: 'Remove from blacklist',
  removed: 'The number was removed.',
  none: 'The blacklist is empty',
  noneHint: 'Recipients who reply “remove” are added automatically.',
  import: 'Import a file',
  export: 'Export',
};

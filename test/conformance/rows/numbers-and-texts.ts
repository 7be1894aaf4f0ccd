import { chapter, row } from '../row.ts';

/** Decisions, "Numbers, sources, texts, time". */
export const numbersAndTexts = chapter({
  key: 'texts',
  title: 'Numbers, sources, texts, time',
  bothForms: true,
  rows: [
    row('spellings', 'all spellings of a number are one number, kept as E.164 digits'),
    row('shown', 'shown as `05xxxxxxxx` where it is Israeli, else as international digits'),
    row('home', 'the home country is a setting'),
    row(
      'duplicates',
      'one shipment never sends twice to one number, of phones or lists; a bulk does across its messages',
    ),
    row('sources', 'a source must be verified or approved: 515; the operator can turn that off'),
    row('tag', '`tag` `#` makes `<#>` in front'),
    row('fields', '`[DYNAMIC_FIELDn]` takes `dfn` of the contact; a missing one is empty'),
    row('zone', "times are in the account's zone, by default Asia/Jerusalem, and shown as `dd/mm/yy hh:mm`"),
    row(
      'daylight saving',
      'daylight saving is followed: repeated hours are read as the first, skipped ones move forward',
    ),
    row('past', 'a `timing` in the past is sent at once'),
    row(
      'removal.link',
      'a short removal link; a removal adds to the blacklist of the account of the message',
    ),
    row(
      'removal.reply',
      'removal by reply: Hebrew, English, Arabic and Russian words, a setting; fires the events',
    ),
    row(
      'short links',
      'codes of 7 characters that cannot be guessed; clicks counted, bots and previews apart',
    ),
    row('blacklisted', 'a blacklisted destination: skipped, free, 201'),
    row('filtered', 'filtered by `temp_bl`: skipped, free, not reported'),
  ],
});

import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const sms = inBothForms('sms-api/sms');
const lists = inBothForms('sms-api/lists');
const links = inBothForms('sms-api/links');
const reported = inBothForms('sms-api/reports');
const signIn = inBothForms('sms-api/sign-in');
const numbers = inFile('sms-api/numbers');
const times = inFile('sms-api/times');

/** Decisions, "Numbers, sources, texts, time". */
export const numbersAndTexts: Chapter = {
  title: 'Numbers, sources, texts, time',
  bothForms: true,
  rows: [
    row(
      'spellings',
      'all spellings of a number are one number, kept as E.164 digits',
      sms('every spelling of a number is the same number, sent to once, with the first id'),
      numbers('every spelling of an Israeli mobile is one number, shown as 05xxxxxxxx'),
      numbers('too short, too long, not a number'),
    ),
    row(
      'shown',
      'shown as `05xxxxxxxx` where it is Israeli, else as international digits',
      reported('international numbers are shown as plain digits'),
      reported('dlr tells of the ids asked for, in the documented fields'),
      numbers('what is shown is read back as the same number'),
    ),
    row(
      'home',
      'the home country is a setting',
      sms('international destinations only with includes_international'),
      numbers('landlines, and numbers of other home countries'),
    ),
    row(
      'duplicates',
      'one shipment never sends twice to one number, of phones or lists; a bulk does across its messages',
      lists('phones and several lists that share numbers: each number once, singles with their ids'),
      inBothForms('sms-api/bulk')('a number repeats across messages and not within one'),
      inFile('faults/list-sends')(
        'killed in mid-list, again and again: nobody is left out, and nobody has two messages',
      ),
    ),
    row(
      'sources',
      'a source must be verified or approved: 515; the operator can turn that off',
      signIn('a source must be verified or approved, in any of its spellings'),
      inFile('sms-api/rate-limit')(
        'without the sandbox a source must be verified, and there is no API for phones',
      ),
    ),
    row('tag', '`tag` `#` makes `<#>` in front', sms('tag')),
    row(
      'fields',
      '`[DYNAMIC_FIELDn]` takes `dfn` of the contact; a missing one is empty',
      lists('dynamic fields are filled in for each contact, a missing one with nothing'),
    ),
    row(
      'zone',
      "times are in the account's zone, by default Asia/Jerusalem, and shown as `dd/mm/yy hh:mm`",
      reported('times are those of the account, and each row is found by the minute that it shows'),
      signIn("times of an account are in the account's own zone"),
      times('known times'),
    ),
    row(
      'daylight saving',
      'daylight saving is followed: repeated hours are read as the first, skipped ones move forward',
      signIn("times of an account are in the account's own zone"),
      times(
        'Asia/Jerusalem: every minute around the changes is written and read back, a repeated one as the first',
      ),
      times('Asia/Jerusalem: a time that the clocks skip is moved forward by what they skip'),
    ),
    row(
      'past',
      'a `timing` in the past is sent at once',
      sms('a time in the past is sent at once, one in the future is held and sent when it comes'),
    ),
    row(
      'removal.link',
      'a short removal link; a removal adds to the blacklist of the account of the message',
      links("add_unsubscribe 3 appends a removal link in the text's language, which removes at a press"),
      inFile('links/pages')('a removal counts for the account of the message alone'),
      inFile('links/pages')(
        'removal in he: the page alone removes nobody, one press does, a second says the same',
      ),
    ),
    row(
      'removal.reply',
      'removal by reply: Hebrew, English, Arabic and Russian words, a setting; fires the events',
      links('add_unsubscribe 2 says what to reply, and the reply removes'),
      inFile('links/removal-words')(
        'the default words of the four languages, whatever their case and what is around them',
      ),
      inFile('links/removal-words')('the setting names other words, and a dash none'),
      inFile('links/reply')(
        'the removal is from the account that owns the number, its other replies are kept, and it is told',
      ),
    ),
    row(
      'short links',
      'codes of 7 characters that cannot be guessed; clicks counted, bots and previews apart',
      links('every recipient gets short links of their own, which lead where they should and are counted'),
      inFile('links/codes')('a code of any number is 7 letters and digits, and is read back'),
      inFile('links/codes')('neighbours have nothing in common, and another key gives other codes'),
      inFile('links/pages')('a short link sends on, at once and uncached, and who followed it is counted'),
    ),
    row(
      'blacklisted',
      'a blacklisted destination: skipped, free, 201',
      sms('blacklisted destinations are skipped, not charged, and 201 in dlr'),
    ),
    row(
      'filtered',
      'filtered by `temp_bl`: skipped, free, not reported',
      sms('temp_bl passes over those who got a message lately, and does not charge for them'),
    ),
  ],
};

import { type Chapter, inBothForms, inFile, row } from '../row.ts';

const sms = inBothForms('sms-api/sms');
const cancelled = inBothForms('sms-api/cancel');
const tokens = inBothForms('sms-api/tokens-and-balance');
const wallets = inFile('accounts/wallets');

/** Decisions, "Credit". */
export const credit: Chapter = {
  title: 'Credit',
  bothForms: true,
  rows: [
    row(
      'exact',
      'exact decimals of four places',
      tokens('balance is exact to four places'),
      tokens('a wallet beyond the largest single top-up still has a balance'),
      inFile('accounts/money')('sums of a thousand amounts are those of the database'),
    ),
    row(
      'parts',
      'an SMS costs its parts: 160 and 153 of GSM 03.38, 70 and 67 of UCS-2',
      sms('parts and price by alphabet and length'),
      sms('a long message is charged by its parts and arrives in one piece'),
    ),
    row(
      'prices',
      'prices by account and destination; 1 credit a domestic part by default',
      sms('prices by account and by the longest prefix'),
      wallets("prices: own before everyone's, the longest prefix first, then the default"),
    ),
    row(
      'one transaction',
      'debit, shipment and messages are one: nobody spends more than there is, and nothing is half stored',
      sms('without enough credit nothing is stored, also in a dry run'),
      inFile('sms-api/crowds')('a crowd that wants more than there is gets exactly what there is'),
      inFile('faults/kill')(
        'killed while requests are answered: each is stored whole or not at all, and whole when it was answered',
      ),
    ),
    row(
      'cancelled',
      'cancelling gives back what was never submitted to a carrier',
      cancelled('a scheduled campaign is cancelled whole, once, and its price comes back'),
      cancelled('a running campaign is cut off, and the answer, the reports and the ledger agree on where'),
    ),
    row(
      'not taken',
      'a message that no carrier took costs nothing',
      cancelled('a scheduled campaign is cancelled whole, once, and its price comes back'),
      inFile('dispatch/outcomes')(
        'the pauses between attempts grow, and a message whose validity is over is expired and given back',
      ),
    ),
    row(
      'subscribers',
      'transfers are two ledger rows in one transaction',
      inBothForms('sms-api/subscribers')('transfers both ways at once neither lose nor make credit'),
      wallets('transfers in both directions at once lose nothing'),
    ),
  ],
};

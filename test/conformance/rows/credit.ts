import { chapter, row } from '../row.ts';

/** Decisions, "Credit". */
export const credit = chapter({
  key: 'credit',
  title: 'Credit',
  bothForms: true,
  rows: [
    row('exact', 'exact decimals of four places'),
    row('parts', 'an SMS costs its parts: 160 and 153 of GSM 03.38, 70 and 67 of UCS-2'),
    row('prices', 'prices by account and destination; 1 credit a domestic part by default'),
    row(
      'one transaction',
      'debit, shipment and messages are one: nobody spends more than there is, and nothing is half stored',
    ),
    row('cancelled', 'cancelling gives back what was never submitted to a carrier'),
    row('not taken', 'a message that no carrier took costs nothing'),
    row('subscribers', 'transfers are two ledger rows in one transaction'),
  ],
});

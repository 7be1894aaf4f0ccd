/** The wallet and its movements. */
export const wallet = {
  title: 'Wallet',
  lead: 'Balance and transactions.',
  canBeSpent: 'credits available',
  movements: 'Transactions',
  at: 'When',
  kind: 'Kind',
  what: 'Details',
  amount: 'Amount',
  kinds: {
    topup: 'Top-up',
    hold: 'Reserved',
    release: 'Released',
    charge: 'Charge',
    refund: 'Refund',
    transfer: 'Transfer',
  },
  kindHints: {
    hold: 'for scheduled messages',
    release: 'reserved credit',
  } as Readonly<Record<string, string>>,
  notes: { addSub: 'New subscriber', operator: 'By the operator' } as Readonly<Record<string, string>>,
  messages: 'Messages without a campaign name',
  none: 'No transactions yet',
  noneHint: 'Top-ups and charges appear here.',
  low: 'The balance is low. Ask the operator for credit.',
  empty: 'The wallet is empty. You cannot send messages.',
};

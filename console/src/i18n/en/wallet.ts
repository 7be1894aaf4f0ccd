/** The wallet and its movements. */
export const wallet = {
  title: 'Wallet',
  lead: 'Balance and transactions.',
  canBeSpent: 'credits can be spent',
  movements: 'Transactions',
  at: 'When',
  kind: 'Kind',
  what: 'What for',
  amount: 'Amount',
  kinds: {
    topup: 'Top-up',
    hold: 'Set aside',
    release: 'Given back',
    charge: 'Sending',
    refund: 'Refund',
    transfer: 'Transfer',
  },
  kindHints: {
    hold: 'for something that is scheduled',
    release: 'what had been set aside',
  } as Readonly<Record<string, string>>,
  notes: { addSub: 'New subscriber', operator: 'By the operator' } as Readonly<Record<string, string>>,
  shipment: (id: string) => `Shipment ${id}`,
  none: 'No movements yet',
  noneHint: 'Top-ups and charges appear here.',
  low: 'There is little left. Ask the operator for credit.',
  empty: 'The wallet is empty: nothing can be sent.',
};

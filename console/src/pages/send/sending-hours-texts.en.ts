/** The hours of one send, and what the policy of the account says of them. */
export const sendingHours = {
  hours: 'Hours of the day',
  from: 'From',
  to: 'To',
  transactional: 'Transactional',
  transactionalHint: 'Like a receipt or an alarm: it goes at any hour.',
  waits: 'The quiet hours of the account permit no campaigns now. They wait until',
  refused: 'The quiet hours of the account permit no campaigns now. Permitted from',
};

/** Reasons for which a message waited. */
export const waits = {
  scheduled: 'Waited until its scheduled time',
  paused: 'Waited while its campaign was paused',
  suspended: 'Waited while the account was suspended',
  'sending-hours': 'Waited for the permitted hours',
  'frequency-cap': 'Waited because of the frequency cap',
  retry: 'Waited after a temporary rejection by the carrier',
  'sender-rate': 'Waited for the rate of its sender',
  'no-connection': 'Waited for a connection to the carrier',
  unanswered: 'Waited after a lost response of the carrier',
  turn: 'Waited for its turn',
};

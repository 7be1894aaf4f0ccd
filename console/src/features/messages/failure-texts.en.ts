import type { FailureKey, FailureTexts, Fault } from '../../api/message-types.ts';

/** Reasons why messages fail. The English texts equal those of the service (server/channels/failure-reasons.ts). */
export const failures = {
  whose: 'Responsible',
  todo: 'Next step',
  faults: {
    customer: 'You, the sender',
    recipient: 'The recipient',
    network: 'The recipient’s network',
    carrier: 'The carrier',
    us: 'This service',
  } satisfies Record<Fault, string>,
  words: {} as Partial<Record<FailureKey, FailureTexts>>,
};

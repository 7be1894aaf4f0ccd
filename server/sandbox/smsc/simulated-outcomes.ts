/** Outcome of a message, by the ending of its number (design, "The sandbox"). */
export interface SimulatedOutcome {
  readonly stat: 'DELIVRD' | 'EXPIRED' | 'UNDELIV' | 'REJECTD';
  /** `err` of the receipt. */
  readonly error: string;
  /** message_state of the receipt's parameters. */
  readonly state: number;
  readonly hasReceipt: boolean;
}

/**
 * `err` of a kosher phone, which cannot receive SMS. The sandbox's connector maps it to status 15 (`errorStatuses`).
 */
export const kosherError = '015';

const delivered: SimulatedOutcome = { stat: 'DELIVRD', error: '000', state: 2, hasReceipt: true };

const simulatedOutcomes: ReadonlyMap<string, SimulatedOutcome> = new Map([
  ['0001', { stat: 'UNDELIV', error: '001', state: 5, hasReceipt: true }],
  ['0002', { stat: 'EXPIRED', error: '002', state: 3, hasReceipt: true }],
  ['0003', { stat: 'REJECTD', error: '003', state: 8, hasReceipt: true }],
  ['0004', { ...delivered, hasReceipt: false }],
  ['0006', { stat: 'UNDELIV', error: kosherError, state: 5, hasReceipt: true }],
]);

/** Returns the outcome of a message to a number with this ending. */
export function simulatedOutcomeOf(ending: string): SimulatedOutcome {
  return simulatedOutcomes.get(ending) ?? delivered;
}

/** Whether messages to a number with this ending are answered with ESME_RTHROTTLED once before they are accepted. */
export function isThrottledFirst(ending: string): boolean {
  return ending === '0005';
}

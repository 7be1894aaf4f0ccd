import { ownCodes } from '../kit/statuses.ts';
import { commonReasons, type Failure, type Fault, reasonOfStatus } from './contract/failures.ts';
import { channels } from './index.ts';

/** Reason of a failed message, for people. */
interface FailureReason {
  readonly key: string;
  readonly fault: Fault;
  readonly why: string;
  readonly todo: string;
}

const tables = [commonReasons, ...Array.from(channels, ({ failures }) => failures.reasons)];

/** All reasons: the common ones, then those of each channel. */
export const failureReasons: ReadonlyMap<string, FailureReason> = new Map(
  tables
    .flatMap((table) => Object.entries(table))
    .map(([key, [fault, why, todo]]) => [key, { key, fault, why, todo }]),
);

export const failureKeys: readonly string[] = [...failureReasons.keys()];

/** Returns the reason of a failure; `unknown` if no table explains it. */
export function failureReasonOf(failure: Failure): FailureReason {
  return failureReasons.get(keyOf(failure))!;
}

/** Reasons for the service's own codes, in every channel. */
const byOwnCode: ReadonlyMap<string, keyof typeof commonReasons> = new Map([
  [ownCodes.textLost, 'text-lost'],
  [ownCodes.sendingHours, 'sending-hours'],
  [ownCodes.frequencyCap, 'frequency-cap'],
  [ownCodes.noConsent, 'no-consent'],
  [ownCodes.deniedRange, 'denied-range'],
]);

function keyOf(failure: Failure): string {
  const own = failure.code === null ? undefined : byOwnCode.get(failure.code);
  if (own !== undefined) return own;
  return channels.of(failure.channel).failures.keyOf(failure, reasonOfStatus(failure.status));
}

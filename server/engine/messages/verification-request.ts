import { Refusal } from '../../kit/errors.ts';
import { isSubscriberNumber, takesSms } from '../../kit/numbers/line-types.ts';
import { displayNumber, type NumberReader } from '../../kit/numbers/phone-numbers.ts';
import { readPhone } from '../../kit/numbers/read-phone.ts';
import type { VerificationRequest } from '../../modules/audience/verified-phones.ts';

/**
 * Maximum numbers of one request. The interface sets no limit; each number is an SMS to somebody, and a company has
 * tens of numbers.
 */
export const MAX_VERIFY_PHONES = 100;

/**
 * Returns the distinct numbers to verify, as E.164 digits. Throws Refusal `bad-destination`, with `field` as the name
 * of the list.
 */
export function readPhonesToVerify(
  values: readonly (string | undefined)[],
  field: string,
  call: { readonly services: { readonly numbers: Pick<NumberReader, 'parse'> } },
  international: boolean,
): string[] {
  const phones = values.map((value, index) => {
    const name = values.length === 1 ? field : `${field}[${index}]`;
    const { digits } = readPhone(value ?? '', name, call, international);
    if (!isSubscriberNumber(digits)) {
      throw new Refusal('bad-destination', 'neither a mobile nor a landline number', name);
    }
    return digits;
  });
  return [...new Set(phones)];
}

/** How landlines are verified. */
export interface LandlineWay {
  /** Number to call; undefined when the operator must be asked. */
  readonly callNumber: string | undefined;
  /** Whether a call to it is answered by a callback that speaks a code. */
  readonly callsBack: boolean;
}

/**
 * Returns a text for the caller about the next steps of requests. `pageOf` returns the address at which the code of a
 * landline is entered.
 */
export function whatComesNext(
  requests: readonly VerificationRequest[],
  { callNumber, callsBack }: LandlineWay,
  pageOf: (request: VerificationRequest) => string,
): string {
  const shown = (some: readonly VerificationRequest[]) =>
    some.map(({ phone }) => displayNumber(phone)).join(', ');
  const mobiles = requests.filter(({ phone }) => takesSms(phone));
  const landlines = requests.filter(({ phone }) => !takesSms(phone));
  const sentences: string[] = [];
  if (mobiles.length > 0) {
    sentences.push(`A verification link, good for 24 hours, will be sent to ${shown(mobiles)}.`);
  }
  if (landlines.length > 0 && callNumber === undefined) {
    sentences.push(`To verify ${shown(landlines)}, turn to the operator of this service within 24 hours.`);
  } else if (landlines.length > 0 && !callsBack) {
    sentences.push(
      `To verify ${shown(landlines)}, call ${callNumber} from it within 24 hours: the operator calls it back.`,
    );
  } else {
    for (const request of landlines) {
      const said = `To verify ${shown([request])}, call ${callNumber} from it within 24 hours`;
      sentences.push(`${said}: it is called back and hears a code. Enter the code at ${pageOf(request)} .`);
    }
  }
  return sentences.join(' ');
}

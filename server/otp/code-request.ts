import { Refusal } from '../errors.ts';
import { checkMaySend, readMessage, readSource, type SendContext } from '../messages/send-request.ts';
import { readPhone } from '../numbers/read-phone.ts';
import { type CodeRequest, PLACEHOLDER } from './codes.ts';

/** The numbers by which applications of an account are told apart; without one it is the default. */
export const APP = { max: 2 ** 31 - 1, default: 1 };
/** How often a code may be guessed at. */
export const TRIES = { min: 3, max: 5, default: 3 };
/** How long a code is good for without another choice, in minutes. */
export const DEFAULT_MINUTES = 5;

/** Why the send of a code may be refused. */
export const codeRefusals = [
  'no-credit',
  'not-now',
  'all-blocked',
  'bad-destination',
  'source-not-verified',
  'bad-message',
  'bad-source',
] as const;

/** A code that is asked for, as it was given: the phone in any spelling, the text undefined for that of the service. */
interface CodeInput extends Omit<CodeRequest, 'source'> {
  readonly source: string | undefined;
  readonly international: boolean;
}

/** Reads what a code is asked for with (interface, B4). Throws Refusal. */
export async function readCodeRequest(
  context: SendContext,
  { phone, source, text, international, ...rest }: CodeInput,
): Promise<CodeRequest> {
  checkMaySend(context);
  const { digits } = readPhone(phone, 'phone', context, international);
  const request = {
    ...rest,
    phone: digits,
    source: await readSource(source, 'source', context),
    text: text === undefined ? undefined : readMessage(text, 'text'),
  };
  if (request.text?.includes(PLACEHOLDER) === false) {
    throw new Refusal('bad-field', `must contain ${PLACEHOLDER}`, 'text', {
      reason: 'lacks-code',
      params: { placeholder: PLACEHOLDER },
    });
  }
  return request;
}

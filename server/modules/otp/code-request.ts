import {
  checkMaySend,
  readMessage,
  readSource,
  type SendContext,
} from '../../engine/messages/send-request.ts';
import { badField } from '../../kit/errors.ts';
import { readPhone } from '../../kit/numbers/read-phone.ts';
import { type CodeRequest, PLACEHOLDER } from './codes.ts';

/** Range of application numbers within an account, and the default. */
export const APP = { max: 2 ** 31 - 1, default: 1 };
/** Permitted numbers of attempts to verify a code. */
export const TRIES = { min: 3, max: 5, default: 3 };
/** Default validity of a code, in minutes. */
export const DEFAULT_MINUTES = 5;

/** Reasons to refuse sending a code. */
export const codeRefusals = [
  'no-credit',
  'not-now',
  'all-blocked',
  'bad-destination',
  'source-not-verified',
  'bad-message',
  'bad-source',
] as const;

/** Input of a code request, unchecked: the phone in any spelling; text undefined for the default. */
interface CodeInput extends Omit<CodeRequest, 'source'> {
  readonly source: string | undefined;
  readonly international: boolean;
}

/** Checks the input of a code request (interface, B4). Throws Refusal. */
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
    throw badField('text', `must contain ${PLACEHOLDER}`, 'lacks-code', { placeholder: PLACEHOLDER });
  }
  return request;
}

import {
  type MediaCheck,
  type MediaKind,
  UnfitMedia,
  type WantedMedia,
} from '../../../kit/http/media-check.ts';
import type { NumberReader } from '../../../kit/numbers/phone-numbers.ts';
import type { External } from '../../../protocols/chat-platform/external.ts';
import { targetOf } from '../free-form.ts';
import { FieldProblem } from './fields.ts';

/**
 * Checks a link to media and returns the kind of its file. Throws FieldProblem for `field`, which is called `name` in
 * the request.
 */
export async function checkMedia(
  media: MediaCheck,
  link: string,
  wanted: WantedMedia,
  field: string,
  name = field,
): Promise<MediaKind> {
  try {
    return await media.check(link, wanted);
  } catch (error) {
    if (error instanceof UnfitMedia) throw new FieldProblem(field, `${name}: ${error.message}`);
    throw error;
  }
}

/**
 * Returns the target of an external button; a phone number becomes international, whatever its spelling. Throws
 * FieldProblem as `checkMedia` does.
 */
export function readTarget(numbers: NumberReader, field: string, text: string, name = field): External {
  const external = targetOf(text, numbers);
  if (external) return external;
  throw new FieldProblem(field, `${name}: must be an https address, a phone number or an e-mail address`);
}

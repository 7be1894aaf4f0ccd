import type { Dictionary } from '../../i18n/en.ts';

export const recipientKinds = ['phones', 'lists', 'file'] as const;
type RecipientKind = (typeof recipientKinds)[number];

/** Recipients of a send: the typed numbers and the selected lists; switching between the two keeps both. */
export interface Recipients {
  readonly kind: RecipientKind;
  readonly typed: string;
  readonly lists: readonly string[];
}

/** Number of recipients above which the console asks for a confirmation. */
export const MANY = 20;

export const nobody: Recipients = { kind: 'phones', typed: '', lists: [] };

/** Recipients of a request that was sent before. */
export const recipientsOf = (phones: readonly string[] = [], lists: readonly string[] = []): Recipients => ({
  kind: lists.length > 0 ? 'lists' : 'phones',
  typed: phones.join('\n'),
  lists,
});

const phonePattern = /^\+?[\d\s().-]{8,25}$/;

/** Distinct numbers of a text, separated by newlines, commas, semicolons or tabs, and the pieces that are not numbers. */
export function readPhones(typed: string): { readonly phones: string[]; readonly bad: string[] } {
  const pieces = [
    ...new Set(
      typed
        .split(/[\n,;\t]+/)
        .map((piece) => piece.trim())
        .filter((piece) => piece !== ''),
    ),
  ];
  const isPhone = (piece: string) => phonePattern.test(piece) && piece.replace(/\D/g, '').length >= 8;
  return { phones: pieces.filter(isPhone), bad: pieces.filter((piece) => !isPhone(piece)) };
}

/** Numbers and lists as they are sent: of the kind that is on the screen. */
export function chosenOf({ kind, typed, lists }: Recipients): {
  readonly phones: readonly string[];
  readonly lists: readonly string[];
} {
  if (kind === 'phones') return { phones: readPhones(typed).phones, lists: [] };
  return { phones: [], lists };
}

/** Problem with the recipients; undefined when they are valid. */
export function recipientsProblem(
  recipients: Recipients,
  { send: t }: Pick<Dictionary, 'send'>,
): string | undefined {
  if (recipients.kind === 'phones') {
    const { phones, bad } = readPhones(recipients.typed);
    if (bad.length > 0) return t.badPhones(bad.slice(0, 3).join(', '));
    return phones.length === 0 ? t.noRecipients : undefined;
  }
  return recipients.lists.length === 0 ? t.noRecipients : undefined;
}

/** Target of a button that opens something outside the chat. */
export type External =
  | { readonly kind: 'website'; readonly url: string }
  /** E.164 digits. */
  | { readonly kind: 'phone'; readonly number: string }
  | { readonly kind: 'email'; readonly address: string };

const phone = /^\+?\d{7,15}$/;
const email = /^[^\s@"<>()[\]\\,;:]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i;

/**
 * Parses the target of an external button: an https address, a phone number (spaces, dashes, dots and brackets are
 * ignored) or an email address. Returns null for anything else.
 */
export function readExternal(text: string): External | null {
  const trimmed = text.trim();
  const digits = trimmed.replace(/[\s\-.()]/g, '');
  if (phone.test(digits)) return { kind: 'phone', number: digits.replace('+', '') };
  if (email.test(trimmed)) return { kind: 'email', address: trimmed };
  if (!/^https:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return null;
  const { username, password } = new URL(trimmed);
  return username === '' && password === '' ? { kind: 'website', url: trimmed } : null;
}

/**
 * Returns the address that a button of a free-form message opens. The platform allows only https addresses there
 * (interactive `cta_url`). For a phone number or an email address it returns `contactPage` with `?tel=` or `?mail=`, an
 * https page that forwards to them.
 */
export function externalUrl(external: External, contactPage: string): string {
  switch (external.kind) {
    case 'website':
      return external.url;
    case 'phone':
      return `${contactPage}?tel=${external.number}`;
    case 'email':
      return `${contactPage}?mail=${encodeURIComponent(external.address)}`;
  }
}

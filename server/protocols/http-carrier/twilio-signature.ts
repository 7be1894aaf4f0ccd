import { createHmac } from 'node:crypto';

/** Returns the signature of a form for an address: the address and the sorted fields, each with its value. */
export function signatureOf(key: string, url: string, form: Readonly<Record<string, string>>): string {
  const fields = Object.keys(form)
    .sort()
    .map((name) => name + form[name]);
  return createHmac('sha1', key)
    .update(url + fields.join(''))
    .digest('base64');
}

import { SECRET_MASK } from './preview.ts';
import { basicAuthorization } from './request.ts';
import type { HttpCarrierSettings } from './settings.ts';
import { formText, Template, xmlText } from './template.ts';
import { secretValues } from './values.ts';

/**
 * Returns a function that replaces the secrets of a connector in a text of its provider: in plain and encoded spellings, upper or
 * lower case. A provider may return what it received.
 *
 * @param authorization header with a token of OAuth, if there is one
 */
export function maskerOf(
  { secrets, pathSecret, description }: Pick<HttpCarrierSettings, 'secrets' | 'pathSecret' | 'description'>,
  authorization: string | undefined,
): (text: string) => string {
  const values = [...Object.values(secrets), ...(pathSecret === undefined ? [] : [pathSecret])];
  const { auth } = description.send;
  const render = (text: string) => new Template(text, 'plain').render(secretValues(secrets));
  if (auth && 'basic' in auth) values.push(credentialsOf(basicOf(auth.basic.map(render))));
  if (auth && 'oauth' in auth)
    values.push(credentialsOf(basicOf([render(auth.oauth.client), render(auth.oauth.secret)])));
  if (authorization !== undefined) values.push(credentialsOf(authorization));
  const spellings = [...new Set(values.flatMap(spellingsOf).map(lowered))].filter((one) => one !== '');
  return (text) => masked(text, spellings);
}

/** Replaces each place of a text that one of these spellings, or several in a row, cover. */
function masked(text: string, spellings: readonly string[]): string {
  const searched = lowered(text);
  const isSecret = new Uint8Array(text.length);
  for (const spelling of spellings) {
    for (let at = searched.indexOf(spelling); at !== -1; at = searched.indexOf(spelling, at + 1))
      isSecret.fill(1, at, at + spelling.length);
  }
  let shown = '';
  for (let at = 0; at < text.length; ) {
    const next = isSecret.indexOf(1 - isSecret[at]!, at);
    const end = next === -1 ? text.length : next;
    shown += isSecret[at] ? SECRET_MASK : text.slice(at, end);
    at = end;
  }
  return shown;
}

/** Lower case of English letters alone: other letters may become longer, so places would differ. */
const lowered = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const basicOf = ([user = '', password = '']: readonly string[]) => basicAuthorization(user, password);

/** Returns an authorization without its scheme. */
const credentialsOf = (authorization: string) => authorization.slice(authorization.indexOf(' ') + 1);

/** Returns the forms that a secret has in a body or header: plain, in JSON, in XML, in an address, in a form, in base64. */
function spellingsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const bytes = Buffer.from(secret);
  // Without padding: a text after the secret may continue it.
  const base64 = bytes.toString('base64url');
  return [
    secret,
    json,
    // PHP escapes slashes, and some libraries all letters that are not ASCII.
    json.replaceAll('/', '\\/'),
    json.replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
    secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    xmlText(secret),
    encodeURIComponent(secret.toWellFormed()),
    encodeURI(secret.toWellFormed()),
    formText(secret),
    base64.replaceAll('-', '+').replaceAll('_', '/'),
    base64,
    bytes.toString('hex'),
  ];
}

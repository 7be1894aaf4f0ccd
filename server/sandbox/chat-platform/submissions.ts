import { arrayOf, type JsonObject, objectOf, textOf } from '../../protocols/chat-platform/json.ts';
import { PlatformRefusal } from './errors.ts';
import type { SandboxTemplate } from './prepared.ts';

const categories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'];
const mediaFormats = ['IMAGE', 'VIDEO', 'DOCUMENT'];
const longest = {
  name: 512,
  headerText: 60,
  body: 1024,
  offerBody: 600,
  footer: 60,
  offer: 16,
  buttonText: 25,
  url: 2000,
};
const maxButtons: Readonly<Record<string, number>> = {
  URL: 2,
  PHONE_NUMBER: 1,
  COPY_CODE: 1,
  OTP: 1,
  QUICK_REPLY: 10,
};

const wrong = (details: string) => new PlatformRefusal(100, details);

/**
 * Parses a template submission as the platform does. Throws PlatformRefusal with 100 for the first fault. `sampleLink`
 * returns the link of an upload's handle, undefined for an unknown handle.
 */
export function readSubmission(
  body: unknown,
  sampleLink: (handle: string) => string | undefined,
): Pick<SandboxTemplate, 'name' | 'language' | 'category' | 'components'> {
  const submission = objectOf(body);
  const name = textOf(submission.name);
  const language = textOf(submission.language);
  const category = textOf(submission.category).toUpperCase();
  if (!/^[a-z0-9_]+$/.test(name) || name.length > longest.name) {
    throw wrong('name: only lowercase letters, digits and underscores, 512 at most');
  }
  if (!/^[a-z]{2,3}(_[A-Z]{2,3})?$/.test(language)) throw wrong('language: not a supported language code');
  if (!categories.includes(category)) throw wrong('category: MARKETING, UTILITY or AUTHENTICATION');
  const components = arrayOf(submission.components).map(objectOf);
  const typed = new Map<string, JsonObject>();
  for (const component of components) {
    const type = textOf(component.type).toUpperCase();
    if (typed.has(type)) throw wrong(`components: ${type} more than once`);
    typed.set(type, component);
  }
  const bodyPart = typed.get('BODY');
  if (!bodyPart) throw wrong('components: BODY is required');
  if (category === 'AUTHENTICATION') checkAuthentication(typed);
  else {
    const hasOffer = typed.has('LIMITED_TIME_OFFER');
    checkBody(bodyPart, hasOffer ? longest.offerBody : longest.body);
    if (hasOffer) checkOffer(typed, category);
    checkLength('footer', textOf(typed.get('FOOTER')?.text), longest.footer);
    checkButtons(arrayOf(typed.get('BUTTONS')?.buttons).map(objectOf));
  }
  const stored = components.map((component) =>
    textOf(component.type).toUpperCase() === 'HEADER' ? readHeader(component, sampleLink) : component,
  );
  return { name, language, category, components: stored };
}

function checkLength(where: string, text: string, most: number): void {
  if (text.length > most) throw wrong(`${where}: over ${most} characters`);
}

function checkAuthentication(typed: ReadonlyMap<string, JsonObject>): void {
  if (textOf(typed.get('BODY')?.text) !== '')
    throw wrong('body: the text of authentication templates is given');
  if (typed.has('HEADER')) throw wrong('header: not in authentication templates');
  const buttons = arrayOf(typed.get('BUTTONS')?.buttons).map(objectOf);
  if (buttons.length !== 1 || textOf(buttons[0]!.type).toUpperCase() !== 'OTP') {
    throw wrong('buttons: exactly one of type OTP');
  }
}

function checkBody(body: JsonObject, most: number): void {
  const text = textOf(body.text);
  if (text === '') throw wrong('body: text is required');
  checkLength('body', text, most);
  const numbers = new Set([...text.matchAll(/\{\{(\d+)\}\}/g)].map(([, number]) => Number(number)));
  if (text.replace(/\{\{\d+\}\}/g, '').includes('{{')) throw wrong('body: a variable has no number');
  for (let number = 1; number <= numbers.size; number++) {
    if (!numbers.has(number)) throw wrong('body: variables are not numbered from 1 without gaps');
  }
  const samples = arrayOf(arrayOf(objectOf(body.example).body_text)[0]);
  if (samples.length !== numbers.size) throw wrong('body: an example for each variable is required');
}

function checkOffer(typed: ReadonlyMap<string, JsonObject>, category: string): void {
  if (category !== 'MARKETING') throw wrong('limited_time_offer: only in marketing templates');
  if (typed.has('FOOTER')) throw wrong('footer: not together with a limited-time offer');
  const text = textOf(objectOf(typed.get('LIMITED_TIME_OFFER')!.limited_time_offer).text);
  if (text === '') throw wrong('limited_time_offer: text is required');
  checkLength('limited_time_offer', text, longest.offer);
}

function checkButtons(buttons: readonly JsonObject[]): void {
  if (buttons.length > 10) throw wrong('buttons: over 10');
  const counts: Record<string, number> = {};
  for (const button of buttons) {
    const type = textOf(button.type).toUpperCase();
    if (!Object.hasOwn(maxButtons, type) || type === 'OTP')
      throw wrong(`buttons: type ${type} is not valid here`);
    counts[type] = (counts[type] ?? 0) + 1;
    if (counts[type] > maxButtons[type]!)
      throw wrong(`buttons: more than ${maxButtons[type]} of type ${type}`);
    if (type === 'COPY_CODE') {
      if (textOf(button.example) === '') throw wrong('buttons: COPY_CODE needs an example');
      continue;
    }
    const text = textOf(button.text);
    if (text === '') throw wrong('buttons: text is required');
    checkLength('buttons', text, longest.buttonText);
    if (type === 'PHONE_NUMBER' && !/^\+?\d{5,20}$/.test(textOf(button.phone_number))) {
      throw wrong('buttons: phone_number is not valid');
    }
    if (type === 'URL') checkUrl(button);
  }
  checkGroups(buttons.map(({ type }) => textOf(type).toUpperCase() === 'QUICK_REPLY'));
}

/** Quick replies must be adjacent, before or after the other buttons. */
function checkGroups(isReply: readonly boolean[]): void {
  const changes = isReply.filter((each, index) => index > 0 && each !== isReply[index - 1]).length;
  if (changes > 1) throw wrong('buttons: quick replies must be grouped together');
}

function checkUrl(button: JsonObject): void {
  const url = textOf(button.url);
  checkLength('buttons', url, longest.url);
  const fixed = url.replace(/\{\{1\}\}$/, '');
  if (!/^https?:\/\//.test(fixed) || !URL.canParse(fixed) || fixed.includes('{{')) {
    throw wrong('buttons: url is not valid, or its variable is not at its end');
  }
  if (fixed !== url && arrayOf(button.example).length !== 1)
    throw wrong('buttons: a url with a variable needs an example');
}

/** Returns the header in the form of the list: with a link instead of the upload's handle. */
function readHeader(header: JsonObject, sampleLink: (handle: string) => string | undefined): JsonObject {
  const format = textOf(header.format).toUpperCase();
  if (format === 'TEXT') {
    const text = textOf(header.text);
    if (text === '') throw wrong('header: text is required');
    checkLength('header', text, longest.headerText);
    const samples = arrayOf(objectOf(header.example).header_text);
    if (text.includes('{{') && (!text.includes('{{1}}') || samples.length !== 1)) {
      throw wrong('header: one variable {{1}} at most, with an example');
    }
    return header;
  }
  if (!mediaFormats.includes(format)) throw wrong(`header: format ${format} is not valid here`);
  const link = sampleLink(textOf(arrayOf(objectOf(header.example).header_handle)[0]));
  if (link === undefined) throw wrong('header: example.header_handle is not the handle of an upload');
  return { ...header, example: { header_handle: [link] } };
}

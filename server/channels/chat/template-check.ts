import { badField } from '../../kit/errors.ts';
import type {
  TemplateButton,
  TemplateContent,
  TemplateHeader,
} from '../../protocols/chat-platform/templates.ts';
import { findLanguage } from './languages.ts';

/*
 * Checks of a new template before it is submitted to the platform: the interface's rules ("Template", "Limits") and
 * those of the platform that a program can check in advance (docs/chat.md, "Templates").
 */

/** Input of a template. */
export interface TemplateDraft {
  readonly name: string;
  /** The interface's number or the platform's code. */
  readonly language: string;
  /** A website's `url` may end in `{{1}}`, which makes it dynamic; `dynamic` is derived from it. */
  readonly content: TemplateContent;
}

/** A draft that may be submitted. */
interface CheckedTemplate {
  readonly name: string;
  /** The platform's code. */
  readonly language: string;
  readonly content: TemplateContent;
}

const longest = {
  name: 512,
  headerText: 60,
  body: 1024,
  offerBody: 600,
  footer: 60,
  offer: 16,
  buttonText: 25,
  couponCode: 15,
  url: 2_000,
} as const;
const maxButtons = { reply: 3, website: 2, call: 1, coupon: 1, otp: 1 } as const;
/** Sends cannot provide more (interface, "Limits"). */
const maxVariables = 5;
const longestCodeMinutes = 90;
const sampleEndings = {
  image: ['jpg', 'jpeg', 'png'],
  video: ['mp4'],
  document: ['pdf'],
} as const;
const buttonNames = {
  reply: 'quick replies',
  website: 'website buttons',
  call: 'call buttons',
  coupon: 'coupon buttons',
  otp: 'buttons for the code',
} as const;

/**
 * Returns the draft in the form to submit. Throws Refusal `bad-field`, which begins with the field, for the first
 * violated rule.
 */
export function checkTemplate({ name, language, content }: TemplateDraft): CheckedTemplate {
  if (!/^[a-z0-9_]+$/.test(name)) {
    throw badField('name', 'must be lower-case English letters, digits and underscores', 'template-name');
  }
  if (name.length > longest.name)
    throw badField('name', `over ${longest.name} characters`, 'too-long', { max: longest.name });
  const known = findLanguage(language);
  if (!known) throw badField('language', 'is not one of the languages', 'unknown');
  const checked = content.category === 'AUTHENTICATION' ? checkCode(content) : checkOrdinary(content);
  return { name, language: known.code, content: checked };
}

/** In an authentication template the platform provides everything except the text of the button. */
function checkCode({
  header,
  body,
  footer,
  buttons,
  offer,
  authentication,
}: TemplateContent): TemplateContent {
  if (header.kind !== 'none')
    throw badField('header', 'not in an authentication template', 'given-by-platform');
  if (body !== '')
    throw badField('body', 'the platform provides it for authentication templates', 'given-by-platform');
  if (footer !== '')
    throw badField('footer', 'the platform provides it for authentication templates', 'given-by-platform');
  if (offer) throw badField('offer', 'only in marketing templates', 'only-marketing');
  const [button] = buttons;
  if (buttons.length !== 1 || button!.kind !== 'otp') {
    throw badField('buttons', 'an authentication template has one, of kind otp', 'code-button');
  }
  const { advice, minutes } = authentication ?? { advice: true, minutes: null };
  if (minutes !== null && !(Number.isInteger(minutes) && minutes >= 1 && minutes <= longestCodeMinutes)) {
    throw badField('authentication.minutes', `must be 1 to ${longestCodeMinutes}`, 'out-of-range', {
      min: 1,
      max: longestCodeMinutes,
    });
  }
  return {
    category: 'AUTHENTICATION',
    header: { kind: 'none' },
    body: '',
    bodySamples: [],
    footer: '',
    buttons: [{ kind: 'otp', text: checkText('buttons[0].text', button!.text, longest.buttonText) }],
    offer: null,
    authentication: { advice, minutes },
  };
}

function checkOrdinary(content: TemplateContent): TemplateContent {
  const { category, body, bodySamples, footer, offer } = content;
  if (content.authentication)
    throw badField('authentication', 'only in authentication templates', 'only-authentication');
  const header = checkHeader(content.header);
  checkBody(body, bodySamples, offer ? longest.offerBody : longest.body);
  if (footer !== '') checkText('footer', footer, longest.footer);
  if (offer) {
    if (category !== 'MARKETING') throw badField('offer', 'only in marketing templates', 'only-marketing');
    checkText('offer.text', offer.text, longest.offer);
    if (footer !== '') throw badField('footer', 'not together with an offer', 'not-with-offer');
    if (header.kind === 'text' || header.kind === 'document') {
      throw badField('header', 'with an offer it is an image or a video', 'offer-header');
    }
  }
  return { ...content, header, buttons: checkButtons(content), authentication: null };
}

function checkHeader(header: TemplateHeader): TemplateHeader {
  if (header.kind === 'none') return { kind: 'none' };
  if (header.kind !== 'text') {
    checkSample(header.kind, header.sample);
    return header;
  }
  const { text, sample } = header;
  const variables = variablesOf('header.text', text);
  checkText('header.text', text.replaceAll('{{1}}', ''), longest.headerText, variables.size > 0);
  if (variables.size > 1 || text.split('{{1}}').length > 2) {
    throw badField('header.text', 'at most one variable, {{1}}', 'too-many-variables', { max: 1 });
  }
  if (variables.size === 0) return { kind: 'text', text, sample: '' };
  checkValue('header.sample', sample);
  if (text.replace('{{1}}', sample).length > longest.headerText) {
    throw badField(
      'header.text',
      `over ${longest.headerText} characters with its sample`,
      'too-long-filled',
      {
        max: longest.headerText,
      },
    );
  }
  return header;
}

/** Checks a link to the example that is reviewed with the template. The file itself is checked when it is fetched. */
function checkSample(kind: keyof typeof sampleEndings, link: string): void {
  if (link === '')
    throw badField('header.sample', 'missing: a media header needs a link to an example', 'sample-missing');
  checkAddress('header.sample', link);
  const ending = endingOf(link);
  const known: readonly string[] = sampleEndings[kind];
  if (ending !== '' && !known.includes(ending)) {
    throw badField(
      'header.sample',
      `the example of a header of kind ${kind} is ${known.join(', ')}`,
      'sample-type',
      { types: known.join(', ') },
    );
  }
}

/** Returns the extension of a link's file name, in lower case without the dot; empty for none. */
export function endingOf(link: string): string {
  return /\.([a-z0-9]{1,5})$/i.exec(new URL(link).pathname)?.[1]?.toLowerCase() ?? '';
}

function checkBody(body: string, samples: readonly string[], most: number): void {
  if (body.trim() === '') throw badField('body', 'missing', 'missing');
  checkStorable('body', body);
  if (body.length > most) throw badField('body', `over ${most} characters`, 'too-long', { max: most });
  const variables = variablesOf('body', body);
  for (let number = 1; number <= variables.size; number++) {
    if (!variables.has(number))
      throw badField('body', 'variables are numbered from 1 without gaps', 'variable-gaps');
  }
  if (variables.size > maxVariables)
    throw badField('body', `over ${maxVariables} variables`, 'too-many-variables', { max: maxVariables });
  if (samples.length !== variables.size) {
    throw badField(
      'body_samples',
      `${samples.length} for ${variables.size} variables: one for each`,
      'samples-differ',
    );
  }
  for (const [index, sample] of samples.entries()) checkValue(`body_samples[${index}]`, sample);
  const filled = body.replace(/\{\{(\d+)\}\}/g, (_, number: string) => samples[Number(number) - 1]!);
  if (filled.length > most)
    throw badField('body', `over ${most} characters with its samples`, 'too-long-filled', { max: most });
}

/** Returns the numbers of the variables in a text. */
function variablesOf(field: string, text: string): Set<number> {
  const numbers = new Set([...text.matchAll(/\{\{([1-9]\d{0,3})\}\}/g)].map(([, number]) => Number(number)));
  if (/\{\{|\}\}/.test(text.replace(/\{\{[1-9]\d{0,3}\}\}/g, ''))) {
    throw badField(field, 'a variable is {{1}}, {{2}} and so on, without spaces', 'variable-form');
  }
  return numbers;
}

/** Checks the example of a variable, by the rules for its values in sends (interface, "Limits"). */
function checkValue(field: string, value: string): void {
  if (value.trim() === '') throw badField(field, 'missing: each variable needs an example', 'sample-missing');
  checkStorable(field, value);
  if (/[\n\r\t]| {4}/.test(value))
    throw badField(field, 'no line break, no tab, no four spaces in a row', 'sample-line');
}

/** Checks a text of one line without variables. */
function checkText(field: string, text: string, most: number, mayBeEmpty = false): string {
  if (!mayBeEmpty && text.trim() === '') throw badField(field, 'missing', 'missing');
  checkStorable(field, text);
  if (text.length > most) throw badField(field, `over ${most} characters`, 'too-long', { max: most });
  if (/[\n\r\t]/.test(text)) throw badField(field, 'no line break and no tab', 'not-one-line');
  if (/\{\{|\}\}/.test(text)) throw badField(field, 'no variable here', 'variable-not-here');
  return text;
}

/** PostgreSQL rejects NUL in texts, and JSON lone surrogates. */
function checkStorable(field: string, text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw badField(field, 'has an invalid character', 'not-readable');
}

function checkAddress(field: string, address: string): URL {
  checkStorable(field, address);
  if (address.length > longest.url)
    throw badField(field, `over ${longest.url} characters`, 'too-long', { max: longest.url });
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:\/\/[^/]/i.test(address) || /\s/.test(address)) {
    throw badField(field, 'must be an address that begins with http:// or https://', 'not-a-web-address');
  }
  return url;
}

function checkButtons({ category, buttons }: TemplateContent): readonly TemplateButton[] {
  const checked = buttons.map((button, index) => checkButton(`buttons[${index}]`, button, category));
  for (const [kind, most] of Object.entries(maxButtons)) {
    const count = buttons.filter((button) => button.kind === kind).length;
    const name = buttonNames[kind as keyof typeof buttonNames];
    if (count > most) throw badField('buttons', `at most ${most} ${name}`, 'too-many-buttons', { max: most });
  }
  const isReply = buttons.map(({ kind }) => kind === 'reply');
  if (isReply.filter((each, index) => index > 0 && each !== isReply[index - 1]).length > 1) {
    throw badField('buttons', 'quick replies stand together, before or after the others', 'replies-apart');
  }
  const labels = checked.flatMap((button) => ('text' in button ? [button.text] : []));
  if (new Set(labels).size < labels.length)
    throw badField('buttons', 'two have the same text', 'same-buttons');
  return checked;
}

function checkButton(
  field: string,
  button: TemplateButton,
  category: TemplateContent['category'],
): TemplateButton {
  if ('text' in button) checkText(`${field}.text`, button.text, longest.buttonText);
  switch (button.kind) {
    case 'otp':
      throw badField(
        field,
        'a button for the code is only in authentication templates',
        'only-authentication',
      );
    case 'coupon':
      if (category !== 'MARKETING')
        throw badField(field, 'a coupon is only in marketing templates', 'only-marketing');
      if (!new RegExp(`^\\d{1,${longest.couponCode}}$`).test(button.sample)) {
        throw badField(
          `${field}.sample`,
          `must be a coupon code of 1 to ${longest.couponCode} digits`,
          'coupon-code',
          { max: longest.couponCode },
        );
      }
      return button;
    case 'call':
      if (!/^\+[1-9]\d{6,14}$/.test(button.number)) {
        throw badField(
          `${field}.number`,
          'must be a phone number with + and its country code',
          'international-form',
        );
      }
      return button;
    case 'website':
      return checkWebsite(field, button);
    case 'reply':
      return button;
  }
}

const variableAtEnd = '{{1}}';

function checkWebsite(field: string, button: Extract<TemplateButton, { kind: 'website' }>): TemplateButton {
  const dynamic = button.url.endsWith(variableAtEnd);
  const url = dynamic ? button.url.slice(0, -variableAtEnd.length) : button.url;
  if (/[{}]/.test(url))
    throw badField(`${field}.url`, 'its one variable, {{1}}, is at its end', 'variable-at-end');
  checkAddress(`${field}.url`, url);
  if (!dynamic) return { ...button, url, dynamic, sample: '' };
  if (button.sample === '')
    throw badField(
      `${field}.sample`,
      'missing: an address with a variable needs an example',
      'sample-missing',
    );
  checkAddress(`${field}.sample`, button.sample);
  if (!button.sample.startsWith(url) || button.sample === url) {
    throw badField(
      `${field}.sample`,
      'must be the address with something in the place of its variable',
      'sample-address',
    );
  }
  return { ...button, url, dynamic, sample: button.sample };
}

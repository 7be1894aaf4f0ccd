import { type ChatProblem, Refusal } from '../../kit/errors.ts';
import { parseLocal } from '../../kit/time-zones.ts';
import type { TemplateFields } from '../../modules/conversations/reply-channel.ts';
import type { LinkedMedia, TemplateMessage } from '../../protocols/chat-platform/messages.ts';
import {
  fillTemplate as placeValues,
  type TemplateButton,
  type TemplateContent,
} from '../../protocols/chat-platform/templates.ts';
import type { ChatContent } from './content.ts';
import type { Template } from './templates.ts';

/** Time of filling a template, in milliseconds since the epoch, and the account's time zone. */
export interface FillTime {
  readonly now: number;
  readonly zone: string;
}

/** A template with its values. */
interface Filled {
  readonly content: Extract<ChatContent, { kind: TemplateMessage['kind'] }>;
  /** The body as the client reads it. */
  readonly body: string;
}

/** Checks a link to media. Throws Refusal `bad-header` or `bad-header-type`. */
export type MediaCheck = (kind: LinkedMedia['kind'], link: string) => Promise<void>;

type Fillable = Pick<Template, 'name' | 'language' | 'content'>;

/**
 * Maximum characters of a body with its variables, of a text header, and of a website's address (limits of the
 * interface and the platform).
 */
const MAX_BODY = 1_024;
const MAX_HEADER = 60;
const MAX_ADDRESS = 2_000;
const MAX_OTP = 15;

const placeholders = /\{\{(\d+)\}\}/g;
const couponCode = /^\d{1,15}$/;
const expiration = /^\d\d\/\d\d\/\d{4} \d\d:\d\d(?::[0-5]\d)?$/;
/** Characters that the platform refuses in variables. */
const brokenText = /[\n\r\t\v\f\u0085\u2028\u2029]| {4}/;
/**
 * Characters that make text bold, italic, struck through or monospaced, which a header must not be (interface, A2
 * reason 15).
 */
const formatting = /[*_~`]/;
const spaceOrControl = /[\s\p{Cc}]/u;

/**
 * Inserts values into a template, after all checks of A2, in the order of its table. Throws Refusal with the first
 * problem. Surplus values are ignored, except for surplus variables. The link of a media header is only checked for
 * presence.
 */
export function fillTemplate(template: Fillable, fields: TemplateFields, time: FillTime): Filled {
  return finish(template, fields, readThroughHeader(template.content, fields, time));
}

/** As `fillTemplate`, and also checks the link of a media header in its turn. */
export async function fillTemplateAndCheck(
  template: Fillable,
  fields: TemplateFields,
  time: FillTime,
  checkMedia: MediaCheck,
): Promise<Filled> {
  const { header } = template.content;
  const values = readThroughHeader(template.content, fields, time);
  if (header.kind !== 'none' && header.kind !== 'text') await checkMedia(header.kind, values.header!);
  return finish(template, fields, values);
}

/** The checked values of the fields up to the header's. */
interface FirstValues {
  readonly variables: readonly string[];
  readonly body: string;
  readonly coupon: string | undefined;
  readonly offerEndsAt: number | undefined;
  readonly header: string | undefined;
}

function readThroughHeader(content: TemplateContent, fields: TemplateFields, time: FillTime): FirstValues {
  return {
    ...readVariables(content, fields),
    coupon: readCoupon(content, fields),
    offerEndsAt: readOfferEnd(content, fields, time),
    header: readHeader(content, fields),
  };
}

function finish(template: Fillable, fields: TemplateFields, values: FirstValues): Filled {
  const { name, language, content } = template;
  const websites = readWebsites(content, fields);
  const otp = readOtp(content, fields);
  const given = { ...values, body: values.variables, websites, otp };
  return {
    content: { kind: 'template', name, language, values: placeValues(content, given) },
    body: otp === undefined ? values.body : values.body.replace(placeholders, () => otp),
  };
}

/**
 * Returns the number of variables in the body of a template. The variable of an authentication template is its code and
 * does not count.
 */
export function countVariables({ authentication, body }: TemplateContent): number {
  if (authentication) return 0;
  return Math.max(0, ...Array.from(body.matchAll(placeholders), ([, number]) => Number(number)));
}

function readVariables(
  content: TemplateContent,
  { variables = {} }: TemplateFields,
): Pick<FirstValues, 'variables' | 'body'> {
  // The only variable of an authentication template is its code.
  if (content.authentication) return { variables: [], body: content.body };
  const count = countVariables(content);
  const values = Array.from({ length: count }, (_, index) => {
    const name = String(index + 1);
    const value = Object.hasOwn(variables, name) ? variables[name]! : '';
    if (value.trim() === '') throw bad('bad-variables', `variable ${name}: missing or empty`);
    if (brokenText.test(value)) {
      throw bad('bad-variable-text', `variable ${name}: has a line break, a tab or four spaces in a row`);
    }
    return value;
  });
  for (const [name, value] of Object.entries(variables)) {
    const isKnown = /^[1-9]\d*$/.test(name) && Number(name) <= count;
    if (!isKnown && value !== '') throw bad('bad-variables', `the template has ${count} variables`);
  }
  const body = content.body.replace(placeholders, (_, number: string) => values[Number(number) - 1] ?? '');
  if (body.length > MAX_BODY) throw bad('too-long', `over ${MAX_BODY} characters with its variables`);
  return { variables: values, body };
}

function readCoupon(
  { buttons }: TemplateContent,
  { couponCode: code = '' }: TemplateFields,
): string | undefined {
  if (!buttons.some(({ kind }) => kind === 'coupon')) return undefined;
  if (!couponCode.test(code)) throw bad('bad-coupon', 'must be 1 to 15 digits', 'couponCode');
  return code;
}

function readOfferEnd(
  { offer }: TemplateContent,
  { couponExpiration = '' }: TemplateFields,
  { now, zone }: FillTime,
): number | undefined {
  if (!offer?.expires) return undefined;
  const time =
    typeof couponExpiration === 'number'
      ? couponExpiration
      : expiration.test(couponExpiration)
        ? parseLocal(couponExpiration, zone)
        : null;
  if (time === null) throw bad('bad-coupon', 'must be a time like 31/12/2026 23:59', 'couponExpiration');
  if (time <= now) throw bad('bad-coupon', 'must be in the future', 'couponExpiration');
  return time;
}

function readHeader({ header }: TemplateContent, { headerLink = '' }: TemplateFields): string | undefined {
  if (header.kind === 'none') return undefined;
  if (header.kind !== 'text') {
    if (headerLink === '')
      throw bad('bad-header', `the template has a header with ${header.kind}`, 'headerLink');
    return headerLink;
  }
  const parts = header.text.split('{{1}}');
  if (parts.length === 1) return undefined;
  if (headerLink.trim() === '') throw bad('bad-header', "the header's variable is missing", 'headerLink');
  if (brokenText.test(headerLink)) {
    throw bad('bad-variable-text', 'has a line break, a tab or four spaces in a row', 'headerLink');
  }
  if (formatting.test(headerLink)) throw bad('bad-header', 'the header cannot have formatting', 'headerLink');
  if (parts.join(headerLink).length > MAX_HEADER) {
    throw bad('bad-header', `the header would have over ${MAX_HEADER} characters`, 'headerLink');
  }
  return headerLink;
}

function readWebsites(
  { buttons }: TemplateContent,
  { websiteVariable = '', websiteVariable2 = '' }: TemplateFields,
): (string | undefined)[] {
  const given = [
    { name: 'websiteVariable', value: websiteVariable },
    { name: 'websiteVariable2', value: websiteVariable2 },
  ];
  return buttons.filter(isWebsite).map(({ dynamic, url }, index) => {
    if (!dynamic) return undefined;
    const { name, value } = given[index] ?? { name: 'websiteVariable', value: '' };
    if (value === '') throw bad('bad-website-variable', 'missing', name);
    if (spaceOrControl.test(value)) throw bad('bad-website-variable', 'has a space or a line break', name);
    if (url.length + value.length > MAX_ADDRESS) {
      throw bad('bad-website-variable', `the address would have over ${MAX_ADDRESS} characters`, name);
    }
    return value;
  });
}

function readOtp({ authentication }: TemplateContent, { otp = '' }: TemplateFields): string | undefined {
  if (!authentication) return undefined;
  if (otp === '') throw bad('bad-otp', 'the template is for one-time codes', 'otp');
  if (otp.length > MAX_OTP) throw bad('bad-otp', `over ${MAX_OTP} characters`, 'otp');
  return otp;
}

const isWebsite = (button: TemplateButton): button is Extract<TemplateButton, { kind: 'website' }> =>
  button.kind === 'website';

function bad(code: ChatProblem, problem: string, path?: string): Refusal {
  return new Refusal(code, problem, path);
}

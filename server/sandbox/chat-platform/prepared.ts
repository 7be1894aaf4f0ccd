import { arrayOf, integerOf, type JsonObject, objectOf, textOf } from '../../protocols/chat-platform/json.ts';
import { PlatformRefusal } from './errors.ts';
import type { ChatButton, ChatContent, ChatHeader } from './phones.ts';

/*
 * A template prepared for many sends: the values it needs, and the content that is the same on every phone. It
 * implements the platform's formats itself, without the carrier's template code, which is tested against it.
 */

const longestBody = 1024;
const longestCode = 20;
const placeholder = /\{\{(\d+)\}\}/g;
const unfit = /[\n\r\t]| {5,}/;
const authenticationBody = '*{{1}}* is your verification code.';
const advice = ' For your security, do not share this code.';

/** A template in the platform's format. */
export interface SandboxTemplate {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly category: string;
  readonly components: readonly object[];
  readonly status: string;
  readonly rejected_reason: string;
}

type Asks = 'nothing' | 'text' | 'coupon';

interface PreparedButton {
  readonly asks: Asks;
  readonly show: (value: string) => ChatButton;
}

export interface PreparedTemplate {
  /** In lower case, as statuses name the pricing category. */
  readonly category: string;
  /**
   * Returns the displayed content of a send with these components. Throws PlatformRefusal when they do not fit the
   * template.
   */
  fill(components: readonly unknown[], now: number): ChatContent;
}

/** Parses a template. Throws PlatformRefusal for features that this platform does not know. */
export function prepareTemplate({ name, category, components }: SandboxTemplate): PreparedTemplate {
  const parts = new Map(
    components.map((each) => [textOf(objectOf(each).type).toUpperCase(), objectOf(each)] as const),
  );
  const isAuthentication = category.toUpperCase() === 'AUTHENTICATION';
  const body = bodyOf(parts.get('BODY') ?? {}, isAuthentication);
  const footer = footerOf(parts.get('FOOTER') ?? {});
  const pieces = body.split(placeholder);
  const variables = (pieces.length - 1) / 2;
  const header = parts.get('HEADER');
  const buttons = arrayOf(parts.get('BUTTONS')?.buttons).map((each, index) =>
    prepareButton(objectOf(each), index, name),
  );
  const expires = objectOf(parts.get('LIMITED_TIME_OFFER')?.limited_time_offer).has_expiration === true;
  const fixedHeader = header === undefined ? null : fixedTextHeader(header);
  const fixedButtons = buttons.every(({ asks }) => asks === 'nothing')
    ? buttons.map(({ show }) => show(''))
    : null;

  return {
    category: category.toLowerCase(),
    fill(given, now) {
      let headerParameters: readonly unknown[] = [];
      let bodyParameters: readonly unknown[] = [];
      let offerParameters: readonly unknown[] = [];
      const values: (string | undefined)[] = [];
      for (const each of given) {
        const component = objectOf(each);
        const parameters = arrayOf(component.parameters);
        switch (component.type) {
          case 'header':
            headerParameters = parameters;
            break;
          case 'body':
            bodyParameters = parameters;
            break;
          case 'limited_time_offer':
            offerParameters = parameters;
            break;
          case 'button':
            takeButton(component, parameters, buttons, values);
            break;
          default:
            throw new PlatformRefusal(131009, 'component type is not valid');
        }
      }
      if (bodyParameters.length !== variables) {
        throw new PlatformRefusal(
          132000,
          `body: number of localizable_params (${bodyParameters.length}) does not match the expected number of params (${variables})`,
        );
      }
      const text = fillBody(pieces, bodyParameters);
      if (text.length > longestBody)
        throw new PlatformRefusal(132005, `body: over ${longestBody} characters`);
      if (expires) checkExpiration(offerParameters, now);
      else if (offerParameters.length > 0) throw mismatch('limited_time_offer', 'not in this template');
      buttons.forEach(({ asks }, index) => {
        if (asks !== 'nothing' && values[index] === undefined) {
          throw new PlatformRefusal(
            131008,
            `buttons: Button at index ${index} of type ${asks} requires a parameter`,
          );
        }
      });
      return {
        type: 'template',
        media: null,
        header:
          fixedHeader ??
          (header === undefined ? noHeader(headerParameters) : fillHeader(header, headerParameters)),
        body: text,
        footer,
        buttons: fixedButtons ?? buttons.map(({ show }, index) => show(values[index] ?? '')),
        cards: [],
      };
    },
  };
}

const mismatch = (where: string, what: string) => new PlatformRefusal(132012, `${where}: ${what}`);

function bodyOf(component: JsonObject, isAuthentication: boolean): string {
  if (!isAuthentication) return textOf(component.text);
  return authenticationBody + (component.add_security_recommendation === true ? advice : '');
}

function footerOf(component: JsonObject): string {
  const minutes = integerOf(component.code_expiration_minutes);
  return minutes === null ? textOf(component.text) : `This code expires in ${minutes} minutes.`;
}

function prepareButton(button: JsonObject, index: number, template: string): PreparedButton {
  const text = textOf(button.text);
  const type = textOf(button.type).toUpperCase();
  switch (type) {
    case 'QUICK_REPLY': {
      const reply: ChatButton = { type: 'reply', id: String(index), text, payload: text };
      return { asks: 'nothing', show: () => reply };
    }
    case 'PHONE_NUMBER': {
      const call: ChatButton = { type: 'call', text, number: textOf(button.phone_number) };
      return { asks: 'nothing', show: () => call };
    }
    case 'URL': {
      const url = textOf(button.url);
      if (!url.includes('{{1}}')) {
        const link: ChatButton = { type: 'url', text, url };
        return { asks: 'nothing', show: () => link };
      }
      return {
        asks: 'text',
        show: (value) => ({ type: 'url', text, url: url.replace('{{1}}', () => value) }),
      };
    }
    case 'COPY_CODE':
      return { asks: 'coupon', show: (code) => ({ type: 'copy', text: 'Copy offer code', code }) };
    case 'OTP':
      return { asks: 'text', show: (code) => ({ type: 'copy', text: text || 'Copy code', code }) };
    default:
      throw new PlatformRefusal(100, `template ${template}: buttons of type ${type} are not supported here`);
  }
}

function fixedTextHeader(header: JsonObject): ChatHeader | null {
  const text = textOf(header.text);
  return header.format === 'TEXT' && !text.includes('{{1}}') ? { type: 'text', text } : null;
}

function noHeader(parameters: readonly unknown[]): null {
  if (parameters.length > 0) throw mismatch('header', 'the template has none');
  return null;
}

function fillHeader(header: JsonObject, parameters: readonly unknown[]): ChatHeader {
  const format = textOf(header.format).toLowerCase();
  const parameter = objectOf(parameters[0]);
  if (parameters.length !== 1 || parameter.type !== format) {
    throw mismatch(
      'header',
      `Format mismatch, expected ${format.toUpperCase()}, received ${textOf(parameter.type) || 'UNKNOWN'}`,
    );
  }
  if (format === 'text') {
    return { type: 'text', text: textOf(header.text).replace('{{1}}', () => fitText(parameter, 'header')) };
  }
  return {
    type: format as 'image' | 'video' | 'document',
    link: mediaLink(objectOf(parameter[format]), 'header'),
  };
}

/** Returns the link of a media object. Throws PlatformRefusal when it has no valid one. */
export function mediaLink(media: JsonObject, where: string): string {
  const link = textOf(media.link);
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) {
    throw new PlatformRefusal(131009, `${where}: link is not a valid URL`);
  }
  return link;
}

function fillBody(pieces: readonly string[], parameters: readonly unknown[]): string {
  let text = pieces[0]!;
  for (let i = 1; i < pieces.length; i += 2) {
    const parameter = objectOf(parameters[Number(pieces[i]) - 1]);
    text += fitText(parameter, 'body') + pieces[i + 1]!;
  }
  return text;
}

function fitText(parameter: JsonObject, where: string): string {
  const { type, text } = parameter;
  if (type !== 'text' || typeof text !== 'string' || text === '')
    throw mismatch(where, 'text parameter expected');
  if (unfit.test(text)) {
    throw mismatch(where, 'Param text cannot have new-line/tab characters or more than 4 consecutive spaces');
  }
  return text;
}

function takeButton(
  component: JsonObject,
  parameters: readonly unknown[],
  buttons: readonly PreparedButton[],
  values: (string | undefined)[],
): void {
  const index = integerOf(component.index) ?? -1;
  const button = buttons[index];
  const parameter = objectOf(parameters[0]);
  const subtype = textOf(component.sub_type).toLowerCase();
  if (!button || button.asks === 'nothing' || parameters.length !== 1) {
    throw mismatch('buttons', `Button at index ${index} takes no such parameter`);
  }
  if (button.asks === 'text' && subtype === 'url') values[index] = fitText(parameter, 'buttons');
  else if (button.asks === 'coupon' && subtype === 'copy_code' && parameter.type === 'coupon_code') {
    const code = textOf(parameter.coupon_code);
    if (code === '' || code.length > longestCode) throw mismatch('buttons', 'coupon_code is not valid');
    values[index] = code;
  } else throw mismatch('buttons', `Button at index ${index} is of another type`);
}

function checkExpiration(parameters: readonly unknown[], now: number): void {
  const offer = objectOf(objectOf(parameters[0]).limited_time_offer);
  const endsAt = integerOf(offer.expiration_time_ms);
  if (endsAt === null)
    throw new PlatformRefusal(131008, 'limited_time_offer: expiration_time_ms is required');
  if (endsAt <= now)
    throw new PlatformRefusal(131009, 'limited_time_offer: expiration_time_ms is in the past');
}

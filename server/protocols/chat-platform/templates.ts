import { arrayOf, type JsonObject, objectOf, textOf } from './json.ts';
import type { ButtonValue, LinkedMedia, TemplateValues } from './messages.ts';
import { qualityOf } from './notice-values.ts';
import { type TemplateStatus, templateStatusOf } from './template-status.ts';

/* Converts the content of a template, as this service stores it, to and from the platform's components. Pure. */

export type TemplateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';

export type TemplateHeader =
  | { readonly kind: 'none' }
  /** May contain the one variable `{{1}}`; `sample` is then its example, otherwise empty. */
  | { readonly kind: 'text'; readonly text: string; readonly sample: string }
  /** `sample` is a link to the example reviewed with the template. */
  | { readonly kind: 'image' | 'video' | 'document'; readonly sample: string };

export type TemplateButton =
  /** `url` without its variable, which is appended for `dynamic` ones; `sample` is then a complete example address. */
  | {
      readonly kind: 'website';
      readonly text: string;
      readonly url: string;
      readonly dynamic: boolean;
      readonly sample: string;
    }
  /** `number` includes the country code and `+`. */
  | { readonly kind: 'call'; readonly text: string; readonly number: string }
  | { readonly kind: 'reply'; readonly text: string }
  /** Copies a coupon code; the platform sets the button's text. */
  | { readonly kind: 'coupon'; readonly sample: string }
  /** Copies the one-time code of an authentication template. */
  | { readonly kind: 'otp'; readonly text: string };

export interface TemplateContent {
  readonly category: TemplateCategory;
  readonly header: TemplateHeader;
  /** Variables are `{{1}}`, `{{2}}` …; the platform writes the body of an authentication template. */
  readonly body: string;
  /** An example for each variable of the body. */
  readonly bodySamples: readonly string[];
  readonly footer: string;
  /** In display order; sends refer to a button by its position. */
  readonly buttons: readonly TemplateButton[];
  /** A limited-time offer. With `expires`, every send must name the end of the offer. */
  readonly offer: { readonly text: string; readonly expires: boolean } | null;
  /**
   * Settings of an authentication template: whether to add "do not share this code", and the validity of the code in
   * minutes.
   */
  readonly authentication: { readonly advice: boolean; readonly minutes: number | null } | null;
}

/** A template in the platform's list. */
export interface ListedTemplate {
  readonly platformId: string;
  readonly name: string;
  /** The platform's language code. */
  readonly language: string;
  /** Null when the platform's status changes nothing (see template-status.ts). */
  readonly status: TemplateStatus | null;
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`, based on reports of recipients. */
  readonly quality: string;
  readonly content: TemplateContent;
  /** Features of the template that this service cannot send, in the platform's terms; empty for most templates. */
  readonly unsupported: readonly string[];
}

const mediaFormats = { image: 'IMAGE', video: 'VIDEO', document: 'DOCUMENT' } as const;
const variable = '{{1}}';

/**
 * Returns the components to submit for review. `headerHandle` is the result of uploading the header's example
 * (`ChatPlatformClient.uploadSample`); the platform accepts no link there.
 */
export function componentsOf(content: TemplateContent, headerHandle?: string): object[] {
  const { header, body, bodySamples, footer, buttons, offer, authentication } = content;
  if (authentication) {
    const { advice, minutes } = authentication;
    return [
      { type: 'BODY', add_security_recommendation: advice },
      ...(minutes === null ? [] : [{ type: 'FOOTER', code_expiration_minutes: minutes }]),
      { type: 'BUTTONS', buttons: buttons.map(buttonComponent) },
    ];
  }
  const components: object[] = [];
  if (header.kind === 'text') {
    const example = header.sample === '' ? undefined : { header_text: [header.sample] };
    components.push({ type: 'HEADER', format: 'TEXT', text: header.text, example });
  } else if (header.kind !== 'none') {
    const example = { header_handle: [headerHandle ?? header.sample] };
    components.push({ type: 'HEADER', format: mediaFormats[header.kind], example });
  }
  if (offer) {
    components.push({
      type: 'LIMITED_TIME_OFFER',
      limited_time_offer: { text: offer.text, has_expiration: offer.expires },
    });
  }
  const example = bodySamples.length === 0 ? undefined : { body_text: [bodySamples] };
  components.push({ type: 'BODY', text: body, example });
  if (footer !== '') components.push({ type: 'FOOTER', text: footer });
  if (buttons.length > 0) components.push({ type: 'BUTTONS', buttons: buttons.map(buttonComponent) });
  return components;
}

function buttonComponent(button: TemplateButton): object {
  switch (button.kind) {
    case 'website':
      return button.dynamic
        ? { type: 'URL', text: button.text, url: button.url + variable, example: [button.sample] }
        : { type: 'URL', text: button.text, url: button.url };
    case 'call':
      return { type: 'PHONE_NUMBER', text: button.text, phone_number: button.number };
    case 'reply':
      return { type: 'QUICK_REPLY', text: button.text };
    case 'coupon':
      return { type: 'COPY_CODE', example: button.sample };
    case 'otp':
      return { type: 'OTP', otp_type: 'COPY_CODE', text: button.text };
  }
}

/** Parses one template of the platform's list. Unknown parts are listed in `unsupported`. Never throws. */
export function readTemplate(listed: unknown): ListedTemplate {
  const template = objectOf(listed);
  const unsupported: string[] = [];
  if (textOf(template.parameter_format).toUpperCase() === 'NAMED') unsupported.push('NAMED parameters');
  return {
    platformId: textOf(template.id),
    name: textOf(template.name),
    language: textOf(template.language),
    status: templateStatusOf(textOf(template.status), textOf(template.rejected_reason)),
    quality: qualityOf(objectOf(template.quality_score).score),
    content: readContent(textOf(template.category), arrayOf(template.components), unsupported),
    unsupported,
  };
}

function readContent(
  category: string,
  components: readonly unknown[],
  unsupported: string[],
): TemplateContent {
  const isAuthentication = category.toUpperCase() === 'AUTHENTICATION';
  let header: TemplateHeader = { kind: 'none' };
  let body = '';
  let bodySamples: readonly string[] = [];
  let footer = '';
  let buttons: readonly TemplateButton[] = [];
  let offer: TemplateContent['offer'] = null;
  let advice = false;
  let minutes: number | null = null;
  for (const each of components) {
    const component = objectOf(each);
    const type = textOf(component.type).toUpperCase();
    if (type === 'HEADER') header = readHeader(component, unsupported);
    else if (type === 'BODY') {
      body = textOf(component.text);
      bodySamples = arrayOf(arrayOf(objectOf(component.example).body_text)[0]).map(textOf);
      advice = component.add_security_recommendation === true;
    } else if (type === 'FOOTER') {
      footer = textOf(component.text);
      if (typeof component.code_expiration_minutes === 'number') minutes = component.code_expiration_minutes;
    } else if (type === 'BUTTONS') {
      buttons = arrayOf(component.buttons).flatMap((button) =>
        readButton(button, isAuthentication, unsupported),
      );
    } else if (type === 'LIMITED_TIME_OFFER') {
      const { text, has_expiration } = objectOf(component.limited_time_offer);
      offer = { text: textOf(text), expires: has_expiration === true };
    } else unsupported.push(type);
  }
  return {
    category: isAuthentication
      ? 'AUTHENTICATION'
      : category.toUpperCase() === 'UTILITY'
        ? 'UTILITY'
        : 'MARKETING',
    header,
    body,
    bodySamples,
    footer,
    buttons,
    offer,
    authentication: isAuthentication ? { advice, minutes } : null,
  };
}

function readHeader(component: JsonObject, unsupported: string[]): TemplateHeader {
  const format = textOf(component.format).toUpperCase();
  const example = objectOf(component.example);
  const media = (Object.keys(mediaFormats) as (keyof typeof mediaFormats)[]).find(
    (kind) => mediaFormats[kind] === format,
  );
  if (media) return { kind: media, sample: textOf(arrayOf(example.header_handle)[0]) };
  if (format === 'TEXT') {
    return { kind: 'text', text: textOf(component.text), sample: textOf(arrayOf(example.header_text)[0]) };
  }
  unsupported.push(`HEADER ${format}`);
  return { kind: 'none' };
}

function readButton(each: unknown, isAuthentication: boolean, unsupported: string[]): TemplateButton[] {
  const button = objectOf(each);
  const type = textOf(button.type).toUpperCase();
  const text = textOf(button.text);
  // The platform lists the button of an authentication template as a URL button with an internal address.
  if (type === 'OTP' || (isAuthentication && type === 'URL')) return [{ kind: 'otp', text }];
  switch (type) {
    case 'URL': {
      const url = textOf(button.url);
      const dynamic = url.endsWith(variable);
      const sample = textOf(arrayOf(button.example)[0]);
      return [
        { kind: 'website', text, url: dynamic ? url.slice(0, -variable.length) : url, dynamic, sample },
      ];
    }
    case 'PHONE_NUMBER': {
      const number = textOf(button.phone_number);
      return [{ kind: 'call', text, number: number.startsWith('+') ? number : `+${number}` }];
    }
    case 'QUICK_REPLY':
      return [{ kind: 'reply', text }];
    case 'COPY_CODE':
      return [{ kind: 'coupon', sample: textOf(button.example) || textOf(arrayOf(button.example)[0]) }];
    default:
      unsupported.push(`BUTTON ${type}`);
      return [];
  }
}

/** Values that a send gives for a template; those that the template does not need are omitted. */
export interface ValuesInput {
  /** The link for a media header, or the variable of a text header. */
  readonly header?: string;
  /** In the order of the variables. */
  readonly body?: readonly string[];
  /** Values for the first and second website button, if they are dynamic. */
  readonly websites?: readonly (string | undefined)[];
  readonly coupon?: string;
  /** Milliseconds since the epoch. */
  readonly offerEndsAt?: number;
  readonly otp?: string;
}

/** Assigns the values to their places in a template. The domain checks that none is missing. */
export function fillTemplate(content: TemplateContent, input: ValuesInput): TemplateValues {
  const buttons: ButtonValue[] = [];
  let websites = 0;
  content.buttons.forEach((button, index) => {
    const text =
      button.kind === 'website'
        ? input.websites?.[websites++]
        : button.kind === 'otp'
          ? input.otp
          : undefined;
    if (button.kind === 'coupon') {
      if (input.coupon !== undefined) buttons.push({ index, kind: 'coupon', code: input.coupon });
    } else if (
      text !== undefined &&
      (button.kind === 'otp' || (button.kind === 'website' && button.dynamic))
    ) {
      buttons.push({ index, kind: 'url', text });
    }
  });
  const otp = content.authentication && input.otp !== undefined ? [input.otp] : undefined;
  return {
    header: headerValue(content.header, input.header),
    body: otp ?? input.body ?? [],
    buttons,
    offerEndsAt: content.offer?.expires ? (input.offerEndsAt ?? null) : null,
  };
}

function headerValue(header: TemplateHeader, given: string | undefined): TemplateValues['header'] {
  if (given === undefined || header.kind === 'none') return null;
  if (header.kind !== 'text') return { kind: header.kind, link: given } satisfies LinkedMedia;
  return header.text.includes(variable) ? { kind: 'text', text: given } : null;
}

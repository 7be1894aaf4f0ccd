import { arrayOf, type JsonObject, objectOf, textOf } from './json.ts';
import type { ButtonValue, LinkedMedia, TemplateValues } from './messages.ts';
import { qualityOf } from './notice-values.ts';
import { type TemplateStatus, templateStatusOf } from './template-status.ts';

/* What a template consists of, as this service keeps it, to and from the platform's components. Pure. */

export type TemplateCategory = 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';

export type TemplateHeader =
  | { readonly kind: 'none' }
  /** May hold the one variable `{{1}}`; `sample` is its example then, else empty. */
  | { readonly kind: 'text'; readonly text: string; readonly sample: string }
  /** `sample` is a link to the example reviewed with the template. */
  | { readonly kind: 'image' | 'video' | 'document'; readonly sample: string };

export type TemplateButton =
  /** `url` without the variable, which a `dynamic` one has appended; `sample` is then a whole example address. */
  | {
      readonly kind: 'website';
      readonly text: string;
      readonly url: string;
      readonly dynamic: boolean;
      readonly sample: string;
    }
  /** `number` with country code and `+`. */
  | { readonly kind: 'call'; readonly text: string; readonly number: string }
  | { readonly kind: 'reply'; readonly text: string }
  /** Copies a coupon code; the platform gives it its text. */
  | { readonly kind: 'coupon'; readonly sample: string }
  /** Copies the one-time code of an authentication template. */
  | { readonly kind: 'otp'; readonly text: string };

export interface TemplateContent {
  readonly category: TemplateCategory;
  readonly header: TemplateHeader;
  /** Variables are `{{1}}`, `{{2}}` …; that of an authentication template is the platform's own. */
  readonly body: string;
  /** An example for each variable of the body. */
  readonly bodySamples: readonly string[];
  readonly footer: string;
  /** In the order in which they are shown, and counted by when one is given a value. */
  readonly buttons: readonly TemplateButton[];
  /** A limited-time offer; `expires` when it shows an end that every send has to name. */
  readonly offer: { readonly text: string; readonly expires: boolean } | null;
  /** Of an authentication template: adds "do not share this code", and how long the code is good, in minutes. */
  readonly authentication: { readonly advice: boolean; readonly minutes: number | null } | null;
}

/** A template as the platform lists it. */
export interface ListedTemplate {
  readonly platformId: string;
  readonly name: string;
  /** The platform's language code. */
  readonly language: string;
  /** Null when the platform's word for it says nothing (see template-status.ts). */
  readonly status: TemplateStatus | null;
  /** `GREEN`, `YELLOW`, `RED` or `UNKNOWN`, by what recipients report. */
  readonly quality: string;
  readonly content: TemplateContent;
  /** What it has that this service cannot send, in the platform's words; empty for most. */
  readonly unsupported: readonly string[];
}

const mediaFormats = { image: 'IMAGE', video: 'VIDEO', document: 'DOCUMENT' } as const;
const variable = '{{1}}';

/**
 * The components to submit for review. `headerHandle` is what the upload of the header's example gave
 * (`ChatPlatformClient.uploadSample`); the platform takes no link there.
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

/** Reads one template of the platform's list. Unknown parts are named in `unsupported`; nothing throws. */
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
  // The platform lists the button of an authentication template as one with an address of its own.
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

/** What a send gives for a template. What the template does not ask for is left out. */
export interface ValuesInput {
  /** The link for a media header, or the variable of a text header. */
  readonly header?: string;
  /** In the order of the variables. */
  readonly body?: readonly string[];
  /** For the first and the second website button, where they are dynamic. */
  readonly websites?: readonly (string | undefined)[];
  readonly coupon?: string;
  /** Milliseconds since the epoch. */
  readonly offerEndsAt?: number;
  readonly otp?: string;
}

/** Puts values to their places in a template. That none is missing is the domain's to check. */
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

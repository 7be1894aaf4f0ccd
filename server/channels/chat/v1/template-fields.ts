import { z } from 'zod';
import { iso, out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { sensitive } from '../../../api/v1/field-rights.ts';
import { field, flag, oneOf, text } from '../../../api/v1/kit/fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { TemplateButton, TemplateContent } from '../../../protocols/chat-platform/templates.ts';
import { languageNumber } from '../languages.ts';
import type { TemplateDraft } from '../template-check.ts';
import type { PastStatus } from '../template-rows.ts';
import { isEditable, isUsable, type Template } from '../templates.ts';
import { qualityAnswer, showQuality } from './standing-fields.ts';

/* Fields of templates under /v1. */

/** More than a template may have; its own rules check and report the real limits. */
const MAX_ENTRIES = 50;

const optionalText = text.default('');
const object = <T extends z.ZodRawShape>(shape: T) => z.object(shape, 'must be an object');

const categories = ['marketing', 'utility', 'authentication'] as const;
const headerKinds = ['none', 'text', 'image', 'video', 'document'] as const;
const buttonKinds = ['reply', 'website', 'call', 'coupon', 'otp'] as const;

const header = object({
  kind: field(oneOf(headerKinds), 'Kind of the header.', 'text'),
  text: field(
    optionalText,
    'Text of a header of kind `text`; may contain the variable `{{1}}`.',
    'Order {{1}}',
  ),
  sample: field(
    optionalText,
    'Example of the variable, or link to an example image (jpg, png), video (mp4) or document (pdf).',
    '1234',
  ),
});
const button = object({
  kind: field(
    oneOf(buttonKinds),
    'Kind: a quick reply, a website, a phone number, a coupon code to copy, or a one-time code to copy.',
    'website',
  ),
  text: field(optionalText, 'Label, up to 25 characters; coupons have a fixed one.', 'Open it'),
  url: field(
    optionalText,
    'Address, for a website; each send fills `{{1}}` at its end.',
    'https://www.example.com/orders/{{1}}',
  ),
  number: field(optionalText, 'Phone number, with `+` and its country code.', ''),
  sample: field(
    optionalText,
    'Example: full address of a website with a variable, or a coupon code.',
    'https://www.example.com/orders/1234',
  ),
});
const offer = object({
  text: field(text, 'Title of the offer, up to 16 characters.', 'For you'),
  expires: field(flag.default(false), 'Whether each send sets the expiry of the offer.', true),
});
const authentication = object({
  advice: field(flag.default(true), 'Adds "do not share this code".', true),
  minutes: field(
    z.int('must be a whole number').nullable().default(null),
    'Minutes for which the code is valid, as shown in the message; null omits the sentence.',
    5,
  ),
});

/** The body of a new template. */
export const templateBody = object({
  phone: field(text, 'Business number.', '972550000001'),
  name: field(
    text,
    'Name: lower-case English letters, digits and underscores, up to 512 characters.',
    'on_its_way',
  ),
  language: field(text, 'Number of a language (docs/chat-api.md), or its code, for example `he`.', '2'),
  category: field(oneOf(categories), 'Category.', 'utility'),
  header: field(header.default({ kind: 'none', text: '', sample: '' }), 'Header above the text; optional.', {
    kind: 'text',
    text: 'Order {{1}}',
    sample: '1234',
  }),
  body: field(
    optionalText,
    'Text, with variables `{{1}}` to `{{5}}`; empty for an authentication template, whose text the platform provides.',
    'Hello {{1}}, it is on its way.',
  ),
  body_samples: field(
    z.array(text, 'must be a list').max(MAX_ENTRIES, 'too many').default([]),
    'Examples, one for each variable of the body.',
    ['Dana'],
  ),
  footer: field(optionalText, 'Footer below the text, up to 60 characters.', ''),
  buttons: field(
    z.array(button, 'must be a list').max(MAX_ENTRIES, 'too many').default([]),
    'Buttons: at most three quick replies, two websites, a phone number and a coupon; quick replies are adjacent.',
    [
      {
        kind: 'website',
        text: 'Open it',
        url: 'https://www.example.com/orders/{{1}}',
        sample: 'https://www.example.com/orders/1234',
      },
    ],
  ),
  offer: field(offer.nullable().default(null), 'Limited-time offer of a marketing template.', null),
  authentication: field(
    authentication.nullable().default(null),
    'Additional sentences of an authentication template.',
    null,
  ),
});

/** Returns the template of a body; `checkTemplate` checks it later. */
export function draftOf(given: z.output<typeof templateBody>): TemplateDraft {
  const { name, language, category, header, body, buttons, body_samples: bodySamples, footer } = given;
  return {
    name,
    language,
    content: {
      category: category.toUpperCase() as TemplateContent['category'],
      header:
        header.kind === 'none'
          ? { kind: 'none' }
          : header.kind === 'text'
            ? { kind: 'text', text: header.text, sample: header.sample }
            : { kind: header.kind, sample: header.sample },
      body,
      bodySamples,
      footer,
      buttons: buttons.map(buttonOf),
      offer: given.offer,
      authentication: given.authentication,
    },
  };
}

function buttonOf({ kind, text: label, url, number, sample }: z.output<typeof button>): TemplateButton {
  switch (kind) {
    case 'website':
      return { kind, text: label, url, dynamic: url.endsWith('{{1}}'), sample };
    case 'call':
      return { kind, text: label, number };
    case 'coupon':
      return { kind, sample };
    default:
      return { kind, text: label };
  }
}

/** A template in responses. */
export const templateAnswer = z.object({
  template_id: out.text('Id, also in the chat API.', '1_972550000001_two'),
  phone: out.text('Business number.', '972550000001'),
  name: out.text('Name of the template.', 'two'),
  language: out.text('Code of the language on the platform.', 'en'),
  language_number: out.text('Number of the language in the chat API.', '2'),
  category: out.oneOf(categories, 'Category.', 'utility'),
  header: z.object({
    kind: out.oneOf(headerKinds, 'Kind of the header.', 'none'),
    text: out.text('Text of a header of kind `text`.', ''),
    sample: sensitive(out.text('Example value or link.', ''), 'template-sample'),
  }),
  body: out.text('Text of the message.', 'Hello {{1}}, your order {{2}} is on its way.'),
  body_samples: answered(
    z.array(sensitive(z.string(), 'template-sample')),
    'Examples, one for each variable.',
    ['Dana', '1234'],
  ),
  footer: out.text('Footer below the text.', ''),
  buttons: answered(
    z.array(
      z.object({
        kind: z.enum(buttonKinds),
        text: z.string(),
        url: z.string(),
        number: z.string(),
        sample: sensitive(z.string(), 'template-sample'),
      }),
    ),
    'Buttons of the template; fields that a kind does not have are empty.',
    [],
  ),
  offer: answered(
    z.object({ text: z.string(), expires: z.boolean() }).nullable(),
    'Limited-time offer; null without one.',
    null,
  ),
  authentication: answered(
    z.object({ advice: z.boolean(), minutes: z.int().nullable() }).nullable(),
    'Settings of an authentication template; null for other categories.',
    null,
  ),
  status: out.count('Status, 0 to 11 (interface, "Template status").', 1),
  status_reason: out.text("The platform's term for the reason of the status; empty without one.", ''),
  status_at: out.instant('Time of the last change of status, ISO 8601.'),
  quality: qualityAnswer,
  next_category: out.maybeOneOf(
    categories,
    'Category to which the platform will move the template because its content does not match its category; null without a planned change.',
    null,
  ),
  category_changes_at: out.maybeInstant(
    'Date of that change, ISO 8601; null if the platform does not announce it.',
    null,
  ),
  usable: out.flag('Whether the template can be sent now.', true),
  editable: out.flag('Whether the template can be edited now.', true),
  submitted: out.flag('Whether the platform has received the template.', true),
  problem: out.text('Reason why the platform has not received it yet; empty without one.', ''),
  created_at: out.instant('Time of creation or first synchronization, ISO 8601.'),
});

/** A template with its past statuses. */
export const templateWithHistory = templateAnswer.extend({
  history: z
    .array(
      z.object({
        status: out.count('Status, 0 to 11.', 1),
        reason: out.text("The platform's term for the reason.", ''),
        at: out.instant('Time of the change, ISO 8601.'),
      }),
    )
    .describe('Status history, oldest first.'),
});

const show = serializer(templateAnswer, (template: Template & { now: number }) => {
  const { content, language } = template;
  return {
    language_number: languageNumber(language),
    category: categoryOf(template.category)!,
    quality: showQuality(template.quality),
    next_category: categoryOf(template.nextCategory),
    header: { text: '', sample: '', ...content.header },
    body: content.body,
    body_samples: [...content.bodySamples],
    footer: content.footer,
    buttons: content.buttons.map(showButton),
    offer: content.offer,
    authentication: content.authentication,
    usable: isUsable(template, template.now),
    editable: isEditable(template),
    submitted: template.platformId !== null,
  };
});

/** Converts a category of the platform for responses; null for none, and for an unknown one. */
const categoryOf = (word: string | null) =>
  categories.find((category) => category === word?.toLowerCase()) ?? null;

/**
 * Formats a template. `waiting` contains the problems of templates that the platform does not have yet
 * (`Templates.waiting`).
 */
export const showTemplate = (template: Template, waiting: ReadonlyMap<number, string>, now: number) =>
  show({ ...template, problem: waiting.get(template.id) ?? '', now });

export const showHistory = (history: readonly PastStatus[]) =>
  history.map(({ status, reason, at }) => ({ status, reason, at: iso(at) }));

/** Shows the variable of an address at its end, as in requests. */
function showButton(button: TemplateButton) {
  const nothing = { text: '', url: '', number: '', sample: '' };
  if (button.kind !== 'website') return { ...nothing, ...button };
  const { kind, text: label, url, dynamic, sample } = button;
  return { ...nothing, kind, text: label, url: dynamic ? `${url}{{1}}` : url, sample };
}

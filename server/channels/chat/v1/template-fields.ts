import { z } from 'zod';
import type { TemplateButton, TemplateContent } from '../../../carriers/chat-platform/templates.ts';
import { iso, out } from '../../../interfaces/openapi/out.ts';
import { answered } from '../../../interfaces/openapi/shown.ts';
import { sensitive } from '../../../interfaces/v1/field-rights.ts';
import { field, flag, oneOf, text } from '../../../interfaces/v1/kit/fields.ts';
import { serializer } from '../../../interfaces/v1/kit/serializer.ts';
import { languageNumber } from '../languages.ts';
import type { TemplateDraft } from '../template-check.ts';
import type { PastStatus } from '../template-rows.ts';
import { isEditable, isUsable, type Template } from '../templates.ts';
import { qualityAnswer, showQuality } from './standing-fields.ts';

/* How templates are written and shown under /v1. */

/** More than a template may have: that is checked, and told, by its own rules. */
const MAX_ENTRIES = 50;

const optionalText = text.default('');
const object = <T extends z.ZodRawShape>(shape: T) => z.object(shape, 'must be an object');

const categories = ['marketing', 'utility', 'authentication'] as const;
const headerKinds = ['none', 'text', 'image', 'video', 'document'] as const;
const buttonKinds = ['reply', 'website', 'call', 'coupon', 'otp'] as const;

const header = object({
  kind: field(oneOf(headerKinds), 'What it is.', 'text'),
  text: field(optionalText, 'Of kind `text`; may have the variable `{{1}}`.', 'Order {{1}}'),
  sample: field(
    optionalText,
    'An example: of the variable, or a link to the image (jpg, png), video (mp4) or document (pdf).',
    '1234',
  ),
});
const button = object({
  kind: field(
    oneOf(buttonKinds),
    'A quick reply, a website, a phone number, a coupon code to copy, a one-time code to copy.',
    'website',
  ),
  text: field(optionalText, 'The label, 25 characters at most; a coupon has a fixed one.', 'Open it'),
  url: field(
    optionalText,
    'Of a website: its address; `{{1}}` at its end is given by each send.',
    'https://www.example.com/orders/{{1}}',
  ),
  number: field(optionalText, 'Of a phone number: with `+` and its country code.', ''),
  sample: field(
    optionalText,
    'An example: the whole address of a website with a variable, or a coupon code.',
    'https://www.example.com/orders/1234',
  ),
});
const offer = object({
  text: field(text, 'What it is called, 16 characters at most.', 'For you'),
  expires: field(flag.default(false), 'Whether each send names its end.', true),
});
const authentication = object({
  advice: field(flag.default(true), 'Adds "do not share this code".', true),
  minutes: field(
    z.int('must be a whole number').nullable().default(null),
    'How long the code is good, as the message says; null says nothing.',
    5,
  ),
});

/** The body that makes a template. */
export const templateBody = object({
  phone: field(text, 'The business number.', '972550000001'),
  name: field(
    text,
    'Lower-case English letters, digits and underscores; 512 characters at most.',
    'on_its_way',
  ),
  language: field(text, 'The number of a language (docs/chat-api.md), or its code like `he`.', '2'),
  category: field(oneOf(categories), 'What it is for.', 'utility'),
  header: field(
    header.default({ kind: 'none', text: '', sample: '' }),
    'Above the text; nothing without it.',
    { kind: 'text', text: 'Order {{1}}', sample: '1234' },
  ),
  body: field(
    optionalText,
    'The text, with variables `{{1}}` to `{{5}}`; empty for an authentication template, which has that of the platform.',
    'Hello {{1}}, it is on its way.',
  ),
  body_samples: field(
    z.array(text, 'must be a list').max(MAX_ENTRIES, 'too many').default([]),
    'An example for each variable of the body.',
    ['Dana'],
  ),
  footer: field(optionalText, 'Below the text, 60 characters at most.', ''),
  buttons: field(
    z.array(button, 'must be a list').max(MAX_ENTRIES, 'too many').default([]),
    'At most three quick replies, two websites, a phone number and a coupon; quick replies stand together.',
    [
      {
        kind: 'website',
        text: 'Open it',
        url: 'https://www.example.com/orders/{{1}}',
        sample: 'https://www.example.com/orders/1234',
      },
    ],
  ),
  offer: field(offer.nullable().default(null), 'A limited-time offer of a marketing template.', null),
  authentication: field(
    authentication.nullable().default(null),
    'Of an authentication template: what its text says beside the code.',
    null,
  ),
});

/** The template that a body asks for; whether it may be is checked later (`checkTemplate`). */
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

/** A template as it is answered. */
export const templateAnswer = z.object({
  template_id: out.text('Its id, also in the chat API.', '1_972550000001_two'),
  phone: out.text('The business number.', '972550000001'),
  name: out.text('Its name.', 'two'),
  language: out.text("The platform's code of its language.", 'en'),
  language_number: out.text("The language's number, as the chat API returns it.", '2'),
  category: out.oneOf(categories, 'What it is for.', 'utility'),
  header: z.object({
    kind: out.oneOf(headerKinds, 'What it is.', 'none'),
    text: out.text('Of kind `text`.', ''),
    sample: sensitive(out.text('The example.', ''), 'template-sample'),
  }),
  body: out.text('The text.', 'Hello {{1}}, your order {{2}} is on its way.'),
  body_samples: answered(z.array(sensitive(z.string(), 'template-sample')), 'An example for each variable.', [
    'Dana',
    '1234',
  ]),
  footer: out.text('Below the text.', ''),
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
    'As they were given; what a kind does not have is empty.',
    [],
  ),
  offer: answered(
    z.object({ text: z.string(), expires: z.boolean() }).nullable(),
    'A limited-time offer; null for none.',
    null,
  ),
  authentication: answered(
    z.object({ advice: z.boolean(), minutes: z.int().nullable() }).nullable(),
    'Of an authentication template; else null.',
    null,
  ),
  status: out.count('0 to 11 (interface, "Template status").', 1),
  status_reason: out.text("The platform's word for why; empty for none.", ''),
  status_at: out.instant('Since when, ISO 8601.'),
  quality: qualityAnswer,
  next_category: out.maybeOneOf(
    categories,
    'The category that the platform is to give it, because its content does not fit its own; null for none.',
    null,
  ),
  category_changes_at: out.maybeInstant('From when, ISO 8601; null where the platform does not say.', null),
  usable: out.flag('Whether it can be sent now.', true),
  editable: out.flag('Whether it can be changed now.', true),
  submitted: out.flag('Whether the platform has it.', true),
  problem: out.text('Why the platform does not have it yet; empty for nothing.', ''),
  created_at: out.instant('When it was made or found here, ISO 8601.'),
});

/** A template with every status that it had. */
export const templateWithHistory = templateAnswer.extend({
  history: z
    .array(
      z.object({
        status: out.count('0 to 11.', 1),
        reason: out.text("The platform's word for why.", ''),
        at: out.instant('Since when, ISO 8601.'),
      }),
    )
    .describe('Every status that it had, in the order of time.'),
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

/** A category of the platform's as answers show it; null for none, and for one of later versions. */
const categoryOf = (word: string | null) =>
  categories.find((category) => category === word?.toLowerCase()) ?? null;

/** `waiting` is what went wrong with templates that the platform does not have yet (`Templates.waiting`). */
export const showTemplate = (template: Template, waiting: ReadonlyMap<number, string>, now: number) =>
  show({ ...template, problem: waiting.get(template.id) ?? '', now });

export const showHistory = (history: readonly PastStatus[]) =>
  history.map(({ status, reason, at }) => ({ status, reason, at: iso(at) }));

/** An address with a variable has it at its end, as it is given. */
function showButton(button: TemplateButton) {
  const nothing = { text: '', url: '', number: '', sample: '' };
  if (button.kind !== 'website') return { ...nothing, ...button };
  const { kind, text: label, url, dynamic, sample } = button;
  return { ...nothing, kind, text: label, url: dynamic ? `${url}{{1}}` : url, sample };
}

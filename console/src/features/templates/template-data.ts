import type { Answer, RequestBody } from '../../api/operations.ts';
import type { ChatButton, ChatContent } from '../../api/sandbox-phone.ts';
import type { Tone } from '../../components/values.tsx';
import type { Dictionary } from '../../i18n/en.ts';

type Texts = Dictionary['templates'];

export type Template = Answer<'/v1/chat/templates/{id}'>;
type NewTemplate = RequestBody<'/v1/chat/templates'>;

export type Category = Template['category'];
export type HeaderKind = Template['header']['kind'];
type Button = Template['buttons'][number];
export type ButtonKind = Button['kind'];

/** Form values of the editor: all parts, including those that the current category or header kind does not use. */
export type Draft = {
  phone: string;
  name: string;
  language: string;
  category: Category;
  header: { kind: HeaderKind; text: string; sample: string };
  body: string;
  body_samples: string[];
  footer: string;
  buttons: Button[];
  hasOffer: boolean;
  offer: { text: string; expires: boolean };
  authentication: { advice: boolean; minutes: number | '' };
};

export const MAX_VARIABLES = 5;
export const MAX_BODY = 1024;

const tones: Readonly<Record<number, Tone>> = {
  0: 'busy',
  1: 'good',
  2: 'bad',
  3: 'bad',
  4: 'bad',
  5: 'bad',
  6: 'warning',
  7: 'bad',
  9: 'neutral',
  10: 'warning',
  11: 'good',
};
export const toneOf = (status: number): Tone => tones[status] ?? 'neutral';
export const IN_REVIEW = 0;
export const DELETED = 9;

export const emptyDraft = (phone: string, language: string): Draft => ({
  phone,
  name: '',
  language,
  category: 'utility',
  header: { kind: 'none', text: '', sample: '' },
  body: '',
  body_samples: [],
  footer: '',
  buttons: [],
  hasOffer: false,
  offer: { text: '', expires: false },
  authentication: { advice: true, minutes: 5 },
});

export function draftOf(template: Template): Draft {
  const { phone, name, language, category, header, body, body_samples, footer, offer, authentication } =
    template;
  return {
    phone,
    name,
    language,
    category,
    header: { ...header },
    body,
    body_samples: [...body_samples],
    footer,
    buttons: template.buttons.map((button) => ({ ...button })),
    hasOffer: offer !== null,
    offer: offer ?? { text: '', expires: false },
    authentication: authentication
      ? { advice: authentication.advice, minutes: authentication.minutes ?? '' }
      : { advice: true, minutes: 5 },
  };
}

/** How many variables a text has, by the highest number. */
export const variablesOf = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/\{\{(\d{1,2})\}\}/g)].map(([, number]) => Number(number)));

/** Request body: only the parts that the category and the selected kinds use. */
export function bodyOf(draft: Draft): NewTemplate {
  const { phone, name, language, category, header, offer, hasOffer, authentication } = draft;
  if (category === 'authentication') {
    const { advice, minutes } = authentication;
    return {
      phone,
      name,
      language,
      category,
      buttons: [{ kind: 'otp', text: draft.buttons[0]?.text ?? '' }],
      authentication: { advice, minutes: minutes === '' ? null : minutes },
    };
  }
  const withOffer = category === 'marketing' && hasOffer;
  return {
    phone,
    name,
    language,
    category,
    header: {
      kind: header.kind,
      text: header.kind === 'text' ? header.text : '',
      sample:
        header.kind === 'none' || (header.kind === 'text' && variablesOf(header.text) === 0)
          ? ''
          : header.sample,
    },
    body: draft.body,
    body_samples: Array.from(
      { length: variablesOf(draft.body) },
      (_, index) => draft.body_samples[index] ?? '',
    ),
    footer: withOffer ? '' : draft.footer,
    buttons: draft.buttons,
    offer: withOffer ? offer : null,
  };
}

/** Phone preview of a draft, with its examples in place of the variables. */
export function contentOf(draft: Draft, t: Texts): ChatContent {
  const { header, category, body, body_samples: samples, authentication } = draft;
  if (category === 'authentication') {
    const { advice, minutes } = authentication;
    const [button] = draft.buttons;
    return {
      header: null,
      body: t.codeBody + (advice ? t.codeAdvice : ''),
      footer: minutes === '' ? '' : t.codeExpires(minutes),
      buttons: [{ type: 'copy', text: button?.text || t.codeText, code: '123456' }],
      cards: [],
    };
  }
  const withOffer = category === 'marketing' && draft.hasOffer;
  const text = body.replace(
    /\{\{(\d{1,2})\}\}/g,
    (variable, number) => samples[Number(number) - 1] || variable,
  );
  return {
    header: headerOf(header),
    body: withOffer && draft.offer.text !== '' ? `🎁 ${draft.offer.text}\n\n${text}` : text,
    footer: withOffer ? '' : draft.footer,
    buttons: draft.buttons.map((button, index) => buttonOf(button, index, t)),
    cards: [],
  };
}

function headerOf({ kind, text, sample }: Draft['header']): ChatContent['header'] {
  if (kind === 'none') return null;
  if (kind !== 'text') return { type: kind, link: sample };
  return text === '' ? null : { type: 'text', text: text.replace('{{1}}', sample || '{{1}}') };
}

function buttonOf({ kind, text, url, number, sample }: Button, index: number, t: Texts): ChatButton {
  const label = text || t.button(index + 1);
  switch (kind) {
    case 'website':
      return { type: 'url', text: label, url: sample || url };
    case 'call':
      return { type: 'call', text: label, number };
    case 'coupon':
      return { type: 'copy', text: t.couponText, code: sample };
    case 'otp':
      return { type: 'copy', text: text || t.codeText, code: '123456' };
    case 'reply':
      return { type: 'reply', id: String(index), text: label };
  }
}

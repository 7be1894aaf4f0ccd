import type { ChatContent } from '../../api/sandbox-phone.ts';
import type { Dictionary } from '../../i18n/en.ts';
import { contentOf, draftOf, type Template, variablesOf } from '../templates/template-data.ts';

/** Values of a template; '' for a missing one. For many recipients, a value can be a field of the contact list. */
export interface Values {
  /** Key: number of the variable, from 1. */
  readonly variables: Readonly<Record<string, string>>;
  /** The link of a media header, or the value of a text one. */
  readonly header: string;
  readonly coupon: string;
  /** When the offer ends, ISO 8601. */
  readonly couponEnds: string;
  /** For the first and the second website button with a variable. */
  readonly websites: readonly [string, string];
  readonly otp: string;
}

export const noValues: Values = {
  variables: {},
  header: '',
  coupon: '',
  couponEnds: '',
  websites: ['', ''],
  otp: '',
};

/** Inputs that a template requires. */
export interface Needs {
  readonly variables: readonly string[];
  readonly header: Template['header']['kind'];
  readonly coupon: boolean;
  readonly couponEnds: boolean;
  /** Texts of the website buttons with a variable. */
  readonly websites: readonly string[];
  readonly otp: boolean;
}

export function needsOf({ body, header, buttons, offer, category }: Template): Needs {
  const hasValue = header.kind !== 'none' && (header.kind !== 'text' || header.text.includes('{{1}}'));
  return {
    variables: Array.from({ length: variablesOf(body) }, (_, index) => String(index + 1)),
    header: hasValue ? header.kind : 'none',
    coupon: buttons.some(({ kind }) => kind === 'coupon'),
    couponEnds: offer?.expires === true,
    websites: buttons
      .filter(({ kind, url }) => kind === 'website' && url.endsWith('{{1}}'))
      .map(({ text }) => text),
    otp: category === 'authentication',
  };
}

/** Whether the values differ between recipients. */
export const isPersonal = ({ variables, websites }: Needs): boolean =>
  variables.length > 0 || websites.length > 0;

/** Whether a required value is missing. */
export function lacksValues(needs: Needs, values: Values): boolean {
  const { variables, header, coupon, couponEnds, websites, otp } = needs;
  return (
    variables.some((number) => !values.variables[number]?.trim()) ||
    websites.some((_, index) => !values.websites[index]?.trim()) ||
    (header !== 'none' && values.header.trim() === '') ||
    (coupon && values.coupon.trim() === '') ||
    (couponEnds && values.couponEnds === '') ||
    (otp && values.otp.trim() === '')
  );
}

/** Request body of the template with its values, for a message to one recipient. */
export function templateBody(
  { template_id }: Pick<Template, 'template_id'>,
  { variables, header, coupon, couponEnds, websites, otp }: Values,
) {
  return {
    template_id,
    variables,
    ...(header !== '' && { header_link: header }),
    ...(coupon !== '' && { coupon_code: coupon }),
    ...(couponEnds !== '' && { coupon_expires_at: couponEnds }),
    ...(websites[0] !== '' && { website_variable: websites[0] }),
    ...(websites[1] !== '' && { website_variable2: websites[1] }),
    ...(otp !== '' && { otp }),
  };
}

/** Values for a preview to many: the names of the fields that fill what differs. */
export function namedFields(
  values: Values,
  fields: readonly { readonly value: string; readonly label: string }[],
): Values {
  const nameOf = (field: string) => {
    const known = fields.find(({ value }) => value === field);
    return known ? `«${known.label}»` : '';
  };
  return {
    ...values,
    variables: Object.fromEntries(
      Object.entries(values.variables).map(([number, field]) => [number, nameOf(field)]),
    ),
    websites: ['', ''],
  };
}

/** Content that the phone shows for a template with these values; sample values replace missing ones. */
export function filledContent(template: Template, values: Values, texts: Dictionary): ChatContent {
  const draft = draftOf(template);
  let website = 0;
  const content = contentOf(
    {
      ...draft,
      header: { ...draft.header, sample: values.header || draft.header.sample },
      body_samples: draft.body_samples.map((sample, index) => values.variables[String(index + 1)] || sample),
      buttons: draft.buttons.map((button) => {
        if (button.kind === 'coupon') return { ...button, sample: values.coupon || button.sample };
        if (button.kind !== 'website' || !button.url.endsWith('{{1}}')) return button;
        const value = values.websites[website++];
        return value ? { ...button, sample: button.url.replace('{{1}}', value) } : button;
      }),
    },
    texts.templates,
  );
  return values.otp === '' ? content : { ...content, body: content.body.replace('123456', values.otp) };
}

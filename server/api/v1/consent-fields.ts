import { z } from 'zod';
import { badField } from '../../kit/errors.ts';
import { type ConsentChannel, consentChannels, MARKETING } from '../../modules/consents/consents.ts';
import { AHEAD_MS, type ImportConsent } from '../../modules/consents/import.ts';
import { textUpTo, timeText } from './kit/fields.ts';

/** Maximum characters of the text in a query; `POST /v1/consents` accepts longer ones. */
const MAX_TEXT = 1_000;
const MAX_COLUMNS = 200;

/** Consent fields in the query of an import, for one of the channels of its people. */
export const importConsentFields = <Channel extends ConsentChannel>(channels: readonly Channel[]) => ({
  consent_channel: z
    .enum(channels)
    .optional()
    .describe(
      'Channel of the consents, or `any`. With it, the import records in the consent log that the people of the file have agreed. Requires `consent_form` or `consent_text`, and `consent_at` or `consent_column`.',
    ),
  consent_purpose: textUpTo(100)
    .trim()
    .min(1, 'missing')
    .optional()
    .describe(`Purpose of the consents, an identifier of your own; default \`${MARKETING}\`.`),
  consent_form: textUpTo(200).optional().describe('Name of the form with which they agreed.'),
  consent_version: textUpTo(100).optional().describe('Version of the form.'),
  consent_text: textUpTo(MAX_TEXT).optional().describe('Text to which they agreed, as it was shown.'),
  consent_language: textUpTo(20).optional().describe('Language of the text.'),
  consent_at: timeText.optional().describe('Time at which all of them agreed, ISO 8601 with an offset.'),
  consent_column: z.coerce
    .number('must be the number of a column')
    .int('must be the number of a column')
    .min(1, 'must be the number of a column')
    .max(MAX_COLUMNS, 'must be the number of a column')
    .optional()
    .describe(
      'Column with the time of each consent, from 1: a date or a time such as `2026-02-01`, `2026-02-01T08:00:00+02:00` or `01/02/2026 08:00`; without an offset in the time zone of the account. People with an empty cell are imported without a consent. The column also becomes a field, unless `columns` skips it.',
    ),
  consent_file: textUpTo(200).optional().describe('Name of the file, as evidence.'),
});

const fieldsObject = z.object(importConsentFields(consentChannels));
type Given = z.output<typeof fieldsObject>;

/** The person who imports, and the time. */
interface ImportCircumstances {
  /** IANA time zone of times without an offset. */
  readonly zone: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** A user name. */
  readonly recordedBy: string | undefined;
}

/**
 * Returns the consent of the people in an import; undefined for a query without one. Throws Refusal `bad-field` for an
 * incomplete consent, or one that does not fit the file.
 */
export function importConsentOf(
  given: Given,
  { zone, now, recordedBy }: ImportCircumstances,
): ImportConsent | undefined {
  const { consent_channel: channel, consent_at: at, consent_column: column } = given;
  const { consent_form: form, consent_text: text, consent_purpose: purpose = MARKETING } = given;
  if (Object.keys(fieldsObject.shape).every((name) => given[name as keyof Given] === undefined)) {
    return undefined;
  }
  if (channel === undefined) {
    throw badField('consent_channel', 'missing', 'missing');
  }
  if (!form?.trim() && !text?.trim()) {
    throw badField('consent_form', 'name the form, or give its text', 'consent-form');
  }
  const time = at === undefined ? undefined : Date.parse(at);
  if ((time === undefined) === (column === undefined)) {
    throw badField('consent_at', 'give either consent_at or consent_column', 'consent-time');
  }
  if (time !== undefined && time > now + AHEAD_MS) {
    throw badField('consent_at', 'is in the future', 'out-of-range');
  }
  const { consent_version: version, consent_language: language, consent_file: file } = given;
  return {
    channel,
    purpose,
    evidence: { form, version, text, language, file, recordedBy },
    when: time === undefined ? { column: column! - 1 } : { at: time },
    zone,
  };
}

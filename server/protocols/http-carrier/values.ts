import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { dltOf } from '../../engine/carriers/dlt.ts';
import type { HttpMessage } from './call.ts';
import { type PlaceholderName, type TemplateValues, xmlText } from './template.ts';

/** Maximum value of `{send.validity}` in seconds. Providers refuse more than a few days. */
const MAX_VALIDITY = 172_800;

interface ValueContext {
  readonly secrets: Readonly<Record<string, string>>;
  /** Address for reports, without a slash at the end. */
  readonly origin: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Returns the values of the placeholders for a message. */
export function valuesOf(message: HttpMessage, context: ValueContext): TemplateValues {
  return {
    valueOf: (name) => placeholderValue(name, message, context),
    secretOf: (name) => context.secrets[name] ?? '',
  };
}

/** Returns values without a message, for addresses that contain secrets only. */
export const secretValues = (secrets: Readonly<Record<string, string>>): TemplateValues => ({
  valueOf: () => '',
  secretOf: (name) => secrets[name] ?? '',
});

/** Returns the values of placeholders for a number (E.164 digits) without a message. */
export const numberValues = (
  destination: string,
  secrets: Readonly<Record<string, string>>,
): TemplateValues => ({
  valueOf: (name) => recipientForms[name]?.(destination) ?? '',
  secretOf: (name) => secrets[name] ?? '',
});

const recipientForms: { readonly [name in PlaceholderName]?: (destination: string) => string } = {
  'to.plus': (destination) => `+${destination}`,
  'to.digits': (destination) => destination,
  'to.national': (destination) =>
    parsePhoneNumberFromString(`+${destination}`)?.nationalNumber ?? destination,
};

function placeholderValue(name: PlaceholderName, message: HttpMessage, context: ValueContext): string {
  const { source, destination, payload, id, validUntil, call } = message;
  const isNumber = /^\d+$/.test(source);
  switch (name) {
    case 'to.plus':
    case 'to.digits':
    case 'to.national':
      return recipientForms[name]!(destination);
    case 'from':
      return source;
    case 'from.plus':
      // Short codes have no plus.
      return isNumber && source.length > 6 ? `+${source}` : source;
    case 'from.number':
      return isNumber ? source : '';
    case 'from.name':
      return isNumber ? '' : source;
    case 'text':
      return payload.toWellFormed();
    case 'text.hex':
      return Buffer.from(payload, 'utf16le').swap16().toString('hex');
    case 'text.xml':
      return xmlText(payload);
    case 'id':
      return String(id);
    case 'send.validity':
      return String(Math.min(MAX_VALIDITY, Math.max(1, Math.floor((validUntil - context.now) / 1_000))));
    case 'dlt.entity':
      return dltOf(message).entity;
    case 'dlt.template':
      return dltOf(message).template;
    case 'origin':
      return context.origin;
    case 'language':
      return call?.language ?? '';
    case 'gender':
      return call?.gender ?? '';
    case 'repeat':
      return call ? String(call.repeat) : '';
    case 'cursor':
    case 'ids':
      return '';
  }
}

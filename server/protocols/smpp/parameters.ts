import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { OutgoingMessage } from '../../engine/carriers/carrier.ts';
import { dltOf } from '../../engine/carriers/dlt.ts';
import { tag } from './commands.ts';
import type { Tlv } from './pdu.ts';

/* Optional parameters (TLVs) that a connector adds to each submit_sm: those that its SMSC asks for. */

/**
 * Forms of a value: a text, without or with a NUL at its end; the SHA-256 of a text in hexadecimal digits, the form of
 * India's DLT for chains of telemarketers; hexadecimal digits of the octets; a number.
 */
export const parameterForms = ['text', 'c-text', 'sha256', 'hex', 'integer'] as const;
type ParameterForm = (typeof parameterForms)[number];
/** Numbers of octets that a parameter of the form `integer` may have. */
export const integerOctets = [1, 2, 4] as const;

/** Maximum parameters of a connector, and characters of a value: together far below the 64 KiB of a PDU. */
export const MAX_PARAMETERS = 20;
export const MAX_PARAMETER_VALUE = 256;

/** Placeholders of values, as those of HTTP carriers (http-carrier/template.ts). */
const placeholders = {
  'dlt.entity': (message) => dltOf(message).entity,
  'dlt.template': (message) => dltOf(message).template,
  from: ({ source }) => source,
  'to.digits': ({ destination }) => destination,
  id: ({ id }) => String(id),
} as const satisfies Record<string, (message: OutgoingMessage) => string>;
const known = Object.keys(placeholders)
  .map((name) => `{${name}}`)
  .join(', ');

/** Parameters that the connector itself sets. */
const ownTags: ReadonlySet<number> = new Set([
  tag.messagePayload,
  tag.sarMsgRefNum,
  tag.sarTotalSegments,
  tag.sarSegmentSeqnum,
]);

export const tagPattern = /^0x[0-9a-f]{1,4}$/i;

const parameter = z
  .strictObject({
    /** In hexadecimal, as carriers document it. */
    tag: z.string().regex(tagPattern, 'must be hexadecimal, from 0x0000 to 0xffff'),
    form: z.enum(parameterForms).default('text'),
    value: z.string().min(1).max(MAX_PARAMETER_VALUE),
    /** Octets of a number; null for the other forms. */
    octets: z.literal(integerOctets).nullable().default(null),
  })
  .superRefine(({ tag: name, form, value, octets }, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (ownTags.has(Number(name))) refuse('tag', 'is a parameter that the connector itself sets');
    if ((form === 'integer') !== (octets !== null))
      refuse('octets', octets === null ? 'missing: 1, 2 or 4' : 'is only for the form integer');
    const problem = problemOf(form, value, octets ?? 1);
    if (problem) refuse('value', problem);
  });

/** Setting of a connector. */
export const parametersSetting = z
  .array(parameter)
  .max(MAX_PARAMETERS)
  .superRefine((all, context) => {
    const tags = all.map((one) => Number(one.tag));
    for (const [index, number] of tags.entries()) {
      if (tags.indexOf(number) < index)
        context.addIssue({ code: 'custom', path: [index, 'tag'], message: 'is given twice' });
    }
  });

type ParameterSetting = z.output<typeof parameter>;

/** Returns why a value cannot be sent in this form; undefined if it can. */
function problemOf(form: ParameterForm, value: string, octets: number): string | undefined {
  switch (form) {
    case 'hex':
      return /^(?:[0-9a-f]{2})+$/i.test(value) ? undefined : 'must be hexadecimal digits, two for each octet';
    case 'integer':
      return /^[0-9]{1,10}$/.test(value) && Number(value) < 2 ** (8 * octets)
        ? undefined
        : `must be a whole number from 0 to ${2 ** (8 * octets) - 1}`;
    case 'text':
    case 'c-text':
    case 'sha256': {
      if (!/^[\x20-\x7e]*$/.test(value)) return 'has other characters than printable ASCII';
      const unknown = partsOf(value).find(
        (part) => 'name' in part && !Object.hasOwn(placeholders, part.name),
      );
      return unknown && `has an unknown placeholder; use ${known}`;
    }
  }
}

type Part = { readonly literal: string } | { readonly name: string };

/** Splits a value into its texts and placeholders. A brace that belongs to no placeholder is a text. */
const partsOf = (value: string): Part[] =>
  value
    .split(/(\{[a-z.]{1,40}\})/)
    .filter((piece) => piece !== '')
    .map((piece) => (/^\{[a-z.]{1,40}\}$/.test(piece) ? { name: piece.slice(1, -1) } : { literal: piece }));

const NONE: readonly Tlv[] = [];
const END = Buffer.of(0);

/**
 * Returns a function that returns the parameters of a message. A parameter with a placeholder for which the message has
 * no value is left out.
 */
export function compileParameters(
  settings: readonly ParameterSetting[],
): (message: OutgoingMessage) => readonly Tlv[] {
  if (settings.length === 0) return () => NONE;
  const writers = settings.map(compileOne);
  return (message) => writers.flatMap((write) => write(message) ?? []);
}

function compileOne({
  tag: name,
  form,
  value,
  octets,
}: ParameterSetting): (message: OutgoingMessage) => Tlv | undefined {
  const number = Number(name);
  const parts = partsOf(value);
  if (form === 'hex' || form === 'integer' || parts.every((part) => 'literal' in part)) {
    const constant = { tag: number, value: octetsOf(form, value, octets) };
    return () => constant;
  }
  return (message) => {
    let text = '';
    for (const part of parts) {
      const piece =
        'literal' in part ? part.literal : placeholders[part.name as keyof typeof placeholders](message);
      if (piece === '') return undefined;
      text += piece;
    }
    return { tag: number, value: octetsOf(form, text, octets) };
  };
}

function octetsOf(form: ParameterForm, value: string, octets: number | null): Buffer {
  switch (form) {
    case 'text':
      return Buffer.from(value, 'latin1');
    case 'c-text':
      return Buffer.concat([Buffer.from(value, 'latin1'), END]);
    case 'sha256':
      return Buffer.from(createHash('sha256').update(value).digest('hex'));
    case 'hex':
      return Buffer.from(value, 'hex');
    case 'integer': {
      const number = Buffer.alloc(octets!);
      number.writeUIntBE(Number(value), 0, octets!);
      return number;
    }
  }
}

/** Adds the parameters of a connector to those of a message, which stay where both have the same tag. */
export function joinParameters(own: readonly Tlv[], ofConnector: readonly Tlv[]): readonly Tlv[] {
  if (ofConnector.length === 0) return own;
  if (own.length === 0) return ofConnector;
  return [...own, ...ofConnector.filter((one) => own.every((other) => other.tag !== one.tag))];
}

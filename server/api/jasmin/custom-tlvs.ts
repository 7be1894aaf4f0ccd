import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import { DltIdError, dltOfParameters } from '../../engine/carriers/dlt.ts';
import { badField } from '../../kit/errors.ts';

/** Range of the tags of vendors (SMPP 3.4, 5.3.2): Jasmin permits no others. */
const FIRST_TAG = 0x1400;
const LAST_TAG = 0x3fff;
/** Maximum octets of all values, as at the SMPP server, and number of parameters. */
const MAX_OCTETS = 1_024;
const MAX_PARAMETERS = 20;

/** Octets of numbers by their type. */
const integers: Readonly<Record<string, number>> = { Int1: 1, Int2: 2, Int4: 4 };

const invalid = () => badField('custom_tlvs', 'invalid', 'wrong-format');

/**
 * Reads `custom_tlvs` of a JSON body: a list of `[tag, length, type, value]`, as Jasmin 0.12 documents it. The length follows from
 * the value. Returns the options of the message; undefined without parameters. Throws Refusal `bad-field`.
 */
export function readCustomTlvs(given: unknown): CarrierOptions | undefined {
  if (given === undefined || given === null) return undefined;
  if (!Array.isArray(given) || given.length > MAX_PARAMETERS) throw invalid();
  if (given.length === 0) return undefined;
  const parameters = given.map(readOne);
  const octets = parameters.reduce((sum, { value }) => sum + value.length, 0);
  const isRepeated = new Set(parameters.map(({ tag }) => tag)).size < parameters.length;
  if (octets > MAX_OCTETS || isRepeated) throw invalid();
  const dlt = dltOf(parameters);
  return {
    parameters: parameters.map(({ tag, value }) => ({ tag, value: value.toString('hex') })),
    ...(dlt && { dlt }),
  };
}

function readOne(given: unknown): { readonly tag: number; readonly value: Buffer } {
  if (!Array.isArray(given) || given.length !== 4) throw invalid();
  const [tag, , type, value] = given as unknown[];
  if (!Number.isInteger(tag) || (tag as number) < FIRST_TAG || (tag as number) > LAST_TAG) throw invalid();
  return { tag: tag as number, value: octetsOf(type, value) };
}

function octetsOf(type: unknown, value: unknown): Buffer {
  const isNumber = Number.isSafeInteger(value);
  if (typeof value !== 'string' && !isNumber) throw invalid();
  const text = String(value);
  if (type === 'OctetString') return Buffer.from(text);
  if (type === 'COctetString' && !text.includes('\0')) return Buffer.from(`${text}\0`);
  const octets = typeof type === 'string' && Object.hasOwn(integers, type) ? integers[type]! : 0;
  const isInteger = /^(?:\d{1,10}|0x[0-9a-f]{1,8})$/i.test(text) && Number(text) < 2 ** (8 * octets);
  if (!isInteger) throw invalid();
  const number = Buffer.alloc(octets);
  number.writeUIntBE(Number(text), 0, octets);
  return number;
}

function dltOf(parameters: Parameters<typeof dltOfParameters>[0]): CarrierOptions['dlt'] {
  try {
    return dltOfParameters(parameters);
  } catch (error) {
    if (error instanceof DltIdError) throw badField('custom_tlvs', error.message, 'wrong-format');
    throw error;
  }
}

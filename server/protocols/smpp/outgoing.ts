import type { CarrierOptions, OutgoingMessage } from '../../engine/carriers/carrier.ts';
import { isInternationalLength } from '../../kit/numbers/phone-numbers.ts';
import { isLatin1Text } from '../../kit/text/charsets.ts';
import { encodeGsm, encodeUcs2 } from '../../kit/text/gsm0338.ts';
import { type Segments, segment, segmentUcs2 } from '../../kit/text/segmentation.ts';
import { command, esmClass, tag, textCoding } from './commands.ts';
import { joinParameters } from './parameters.ts';
import type { MessagePdu, Tlv } from './pdu.ts';
import type { SmppConnectorSettings } from './settings.ts';

/** One submit_sm of a message: the fields that differ between parts. */
export interface Part {
  readonly esmClass: number;
  readonly dataCoding: number;
  readonly shortMessage: Uint8Array;
  readonly tlvs: readonly Tlv[];
}

interface Address {
  readonly ton: number;
  readonly npi: number;
}

/** The count of parts in the header is one octet. */
const maxParts = 255;

const noTlvs: readonly Tlv[] = [];
const nothing = Buffer.alloc(0);
const noOptions: CarrierOptions = {};
/** Without the class, which is the two lowest bits. */
const ucs2WithClass = 0x18;
const gsmWithClass = 0xf0;
const headerOctets = 6;

type PartSettings = Pick<
  SmppConnectorSettings,
  'defaultAlphabet' | 'defaultDataCoding' | 'unicodeDataCoding' | 'longMessages'
>;

/** The defaults of the settings. */
export const defaultPartSettings = {
  defaultAlphabet: 'gsm',
  defaultDataCoding: textCoding.default,
  unicodeDataCoding: textCoding.ucs2,
  longMessages: 'udh',
} as const satisfies PartSettings;

/**
 * Returns the parts to submit for a message: one whole part, or parts with user data headers (3GPP TS 23.040,
 * 9.2.3.24.1), or one part with message_payload. Null when it would need over 255 parts.
 *
 * If the SMSC's default alphabet is Latin-1, a text that GSM 03.38 can encode and Latin-1 cannot is sent as UCS-2, in
 * more parts than are charged: the correct text is worth the difference.
 *
 * @param ofConnector parameters that the connector adds to those of the message
 */
export function partsOf(
  { id, payload: text, options = noOptions }: Pick<OutgoingMessage<string>, 'id' | 'payload' | 'options'>,
  settings: PartSettings,
  ofConnector: readonly Tlv[] = noTlvs,
): Part[] | null {
  const { messageClass } = options;
  let segments: Segments = segment(text);
  // A data_coding with a class names the alphabet itself.
  const isLatin1 =
    messageClass === undefined && segments.encoding === 'gsm7' && settings.defaultAlphabet === 'latin1';
  if (isLatin1 && !isLatin1Text(text)) segments = segmentUcs2(text);
  const { encoding, parts } = segments;
  const encode = encoding === 'ucs2' ? encodeUcs2 : isLatin1 ? encodeLatin1 : encodeGsm;
  const dataCoding = codingOf(encoding, messageClass, settings);
  const own = options.parameters?.map((one) => ({ ...one, value: Buffer.from(one.value, 'hex') })) ?? noTlvs;
  const tlvs = joinParameters(own, ofConnector);

  if (parts.length === 1) return [{ esmClass: 0, dataCoding, shortMessage: encode(text), tlvs }];
  if (settings.longMessages === 'payload') {
    const payload = { tag: tag.messagePayload, value: encode(text) };
    return [{ esmClass: 0, dataCoding, shortMessage: nothing, tlvs: [payload, ...tlvs] }];
  }
  if (parts.length > maxParts) return null;
  const reference = referenceOf(id);
  return parts.map((part, index) => {
    const octets = encode(part);
    const shortMessage = Buffer.allocUnsafe(headerOctets + octets.length);
    shortMessage.set([5, 0, 3, reference, parts.length, index + 1]);
    shortMessage.set(octets, headerOctets);
    return { esmClass: esmClass.udh, dataCoding, shortMessage, tlvs };
  });
}

/** Returns the data_coding of an alphabet: that of the settings, or with a message class that of 3GPP TS 23.038, 4. */
function codingOf(
  encoding: Segments['encoding'],
  messageClass: CarrierOptions['messageClass'],
  { defaultDataCoding, unicodeDataCoding }: PartSettings,
): number {
  if (messageClass === undefined) return encoding === 'ucs2' ? unicodeDataCoding : defaultDataCoding;
  return (encoding === 'ucs2' ? ucs2WithClass : gsmWithClass) | messageClass;
}

/**
 * Returns the 8-bit reference of a long message, derived from the message's id, so that phones combine a message that
 * is submitted twice only once. The bits are mixed, since consecutive ids differ in few bits.
 */
function referenceOf(id: number): number {
  const high = Math.floor(id / 2 ** 32);
  return Math.imul((id | 0) ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> 24;
}

function encodeLatin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Returns one submit_sm of a message. `validity` is its validity period from `validityPeriod`. */
export function submitPdu(
  { source, destination }: OutgoingMessage,
  { esmClass, dataCoding, shortMessage, tlvs }: Part,
  validity: string,
  sequence: number,
  settings: SmppConnectorSettings,
): MessagePdu {
  const { serviceType, destinationTon, destinationNpi, registeredDelivery } = settings;
  const { ton: sourceTon, npi: sourceNpi } = sourceAddress(source, settings);
  return {
    command: command.submitSm,
    status: 0,
    sequence,
    serviceType,
    sourceTon,
    sourceNpi,
    source,
    destinationTon,
    destinationNpi,
    destination,
    esmClass,
    protocolId: 0,
    priority: 0,
    scheduleTime: '',
    validityPeriod: validity,
    registeredDelivery,
    replaceIfPresent: 0,
    dataCoding,
    defaultMessageId: 0,
    shortMessage,
    tlvs,
  };
}

/** Returns type and plan of a source address by its form, unless the settings give them (see settings.ts). */
export function sourceAddress(
  source: string,
  settings: Pick<SmppConnectorSettings, 'sourceTon' | 'sourceNpi'>,
): Address {
  const guess = guessAddress(source);
  return { ton: settings.sourceTon ?? guess.ton, npi: settings.sourceNpi ?? guess.npi };
}

const alphanumeric: Address = { ton: 5, npi: 0 };
const shortCode: Address = { ton: 3, npi: 0 };
const international: Address = { ton: 1, npi: 1 };
const national: Address = { ton: 2, npi: 1 };
/** Digits that start with the international dialling prefix (3GPP TS 23.040, 9.1.2.5: unknown may include prefixes). */
const withPrefix: Address = { ton: 0, npi: 1 };

/** Guesses by the form of the sender (docs/carriers.md, "Senders"). */
function guessAddress(source: string): Address {
  if (!/^\+?[0-9]+$/.test(source)) return alphanumeric;
  if (source.startsWith('+')) return international;
  if (source.length <= 6) return shortCode;
  if (source.startsWith('00')) return withPrefix;
  return !source.startsWith('0') && isInternationalLength(source) ? international : national;
}

/** Longest relative time, in days: longer ones would need calendar months in this format. */
const maxDays = 30;

/**
 * Returns the validity_period of a message that stays valid for `leftMs` after `now` (SMPP 3.4, 7.1.1): at least one
 * second, and at most 30 days in the relative form.
 */
export function validityPeriod(
  leftMs: number,
  now: number,
  format: 'relative' | 'absolute' | 'none',
): string {
  if (format === 'none') return '';
  const seconds = Math.max(1, Math.floor(leftMs / 1000));
  if (format === 'absolute') {
    const iso = new Date(now + seconds * 1000).toISOString();
    return `${iso.replace(/\D/g, '').slice(2, 14)}000+`;
  }
  const days = Math.floor(seconds / 86_400);
  if (days >= maxDays) return `0000${maxDays}000000000R`;
  const rest = seconds % 86_400;
  const two = (value: number) => String(value).padStart(2, '0');
  const time = two(Math.floor(rest / 3600)) + two(Math.floor((rest % 3600) / 60)) + two(rest % 60);
  return `0000${two(days)}${time}000R`;
}

/** Validity periods of a connector. Messages of a batch have the same validity, so one text per second is enough. */
export class ValidityPeriods {
  readonly #format: SmppConnectorSettings['validity'];
  #last = { second: -1, text: '' };

  constructor(format: SmppConnectorSettings['validity']) {
    this.#format = format;
  }

  /** As `validityPeriod`. */
  of(leftMs: number, now: number): string {
    const second = Math.floor(leftMs / 1000);
    if (this.#format === 'absolute') return validityPeriod(leftMs, now, 'absolute');
    if (this.#last.second !== second)
      this.#last = { second, text: validityPeriod(leftMs, now, this.#format) };
    return this.#last.text;
  }
}

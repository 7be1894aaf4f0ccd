import type { FastifyRequest } from 'fastify';
import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import { DLT_ID, type DltIds } from '../../engine/carriers/dlt.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import { Form, queryOf, textIn } from '../http-interfaces/form.ts';
import { groupOf } from './meta-data.ts';

/** Minutes in a year: the longest time for which a message may be deferred. */
const MAX_MINUTES = 525_600;
const MAX_ACCOUNT = 64;
const MAX_META_DATA = 1_000;

/** The fields of `sendsms`, as bytes; from a query, a form, or headers. */
export interface SendSmsFields {
  bytes(...names: readonly string[]): Buffer | undefined;
  text(...names: readonly string[]): string | undefined;
}

/** Fields of a POST with a plain text: `X-Kannel-…` headers, and the body as `text`. */
class HeaderFields implements SendSmsFields {
  readonly #request: FastifyRequest;
  readonly #charset: string | undefined;

  constructor(request: FastifyRequest, type: string) {
    this.#request = request;
    this.#charset = /;\s*charset="?([\w.:-]{1,40})/i.exec(type)?.[1];
  }

  bytes(...names: readonly string[]): Buffer | undefined {
    if (names.includes('text')) return this.#request.body as Buffer | undefined;
    if (names.includes('charset')) return this.#charset ? Buffer.from(this.#charset) : undefined;
    const value = names.map((name) => this.#request.headers[`x-kannel-${name}`]).find(Boolean);
    return value === undefined ? undefined : Buffer.from(String(value), 'latin1');
  }

  text(...names: readonly string[]): string | undefined {
    return this.bytes(...names)?.toString('utf8');
  }
}

/**
 * Returns the fields of a request with this content type. Throws Refusal `unreadable` for a body of a form that is not
 * supported.
 */
export function fieldsOf(request: FastifyRequest, type: string): SendSmsFields {
  const body = request.body as Buffer | undefined;
  if (request.method === 'GET' || !body?.length) return new Form(queryOf(request.originalUrl));
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) return new Form(body);
  if (/^text\/plain\b/i.test(type)) return new HeaderFields(request, type);
  throw new Refusal('unreadable', 'Unsupported content-type');
}

/** Returns a whole number; undefined if absent. Throws Refusal `bad-field`. */
function numberIn(fields: SendSmsFields, least: number, most: number, ...names: string[]) {
  const text = fields.text(...names);
  if (text === undefined || text === '') return undefined;
  const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  // Kannel takes -1 for a field that is not set.
  if (value === -1) return undefined;
  if (!(value >= least && value <= most)) throw misformed(names[0]!);
  return value;
}

const misformed = (name: string) => badField(name, 'misformed', 'wrong-format');
const unsupported = (name: string) => badField(name, 'not supported', 'wrong-format');

/** Fields that change how a phone treats a message, which messages of this service cannot carry. */
const unsupportedFields = ['udh', 'mwi', 'pid', 'alt-dcs', 'rpi', 'compress', 'flash'] as const;

/** A read request. */
export interface SendSmsRequest {
  readonly from: string | undefined;
  readonly to: readonly string[];
  readonly text: string;
  /** Minutes; undefined: those of the service. */
  readonly validity: number | undefined;
  readonly deferred: number | undefined;
  readonly messageClass: CarrierOptions['messageClass'];
  readonly dlrMask: number;
  readonly dlrUrl: string | undefined;
  readonly account: string;
  readonly metaData: string;
  /** DLT ids in `metaData`. */
  readonly dlt: DltIds | undefined;
}

/** Reads the fields of a send. Throws Refusal. */
export function readSendSms(fields: SendSmsFields): SendSmsRequest {
  const to = fields.text('to');
  if (to === undefined) throw badField('to', 'missing', 'missing');
  const numbers = to.split(' ').filter(Boolean);
  if (numbers.length === 0) throw new Refusal('bad-destination', 'empty', 'to');
  for (const name of unsupportedFields) {
    if (!['', '0', '-1'].includes(fields.text(name) ?? '')) throw unsupported(name);
  }
  numberIn(fields, 0, 3, 'priority');
  const coding = numberIn(fields, 0, 2, 'coding') ?? 0;
  if (coding === 1) throw unsupported('coding');
  const charset = fields.text('charset') || (coding === 2 ? 'UTF-16BE' : 'UTF-8');
  const text = textIn(charset, fields.bytes('text') ?? Buffer.alloc(0));
  if (text === undefined) throw misformed('charset');
  const account = fields.text('account') ?? '';
  if (account.length > MAX_ACCOUNT || /[[\]\r\n]/.test(account)) throw misformed('account');
  const metaData = fields.text('meta-data') ?? '';
  if (metaData.length > MAX_META_DATA) throw misformed('meta-data');
  return {
    from: fields.text('from') || undefined,
    to: numbers,
    text: text.replaceAll('\0', '\ufffd'),
    validity: numberIn(fields, 1, MAX_MINUTES, 'validity'),
    deferred: numberIn(fields, 0, MAX_MINUTES, 'deferred'),
    messageClass: numberIn(fields, 0, 3, 'mclass') as SendSmsRequest['messageClass'],
    dlrMask: numberIn(fields, 0, 63, 'dlr-mask', 'dlrmask') ?? 0,
    dlrUrl: fields.text('dlr-url', 'dlrurl') || undefined,
    account,
    metaData,
    dlt: dltOf(metaData),
  };
}

/**
 * Names of parameters with DLT ids in the group `smpp` of `meta-data`, in any case, with `-` for `_`. Names are those of the groups
 * `smpp-tlv` of a Kannel; these are in common use.
 */
const dltNames: Readonly<Record<string, keyof DltIds>> = {
  ...{ pe_id: 'entity', entity_id: 'entity' },
  ...{ template_id: 'template', content_template_id: 'template' },
};

/** Returns the DLT ids of a send. Throws Refusal `bad-field`. */
function dltOf(metaData: string): DltIds | undefined {
  const ids: { -readonly [Name in keyof DltIds]: string } = {};
  for (const [name, value] of groupOf(metaData, 'smpp')?.entries ?? []) {
    const key = dltNames[name.toLowerCase().replaceAll('-', '_')];
    if (!key || value === '') continue;
    if (!DLT_ID.test(value)) throw misformed('meta-data');
    ids[key] ??= value;
  }
  return ids.entity === undefined && ids.template === undefined ? undefined : ids;
}

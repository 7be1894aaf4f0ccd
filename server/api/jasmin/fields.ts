import type { FastifyRequest } from 'fastify';
import type { CarrierOptions } from '../../engine/carriers/carrier.ts';
import { badField, Refusal } from '../../kit/errors.ts';
import { readSmppTime } from '../../protocols/smpp/times.ts';
import { Form, queryOf, textIn } from '../http-interfaces/form.ts';
import { readCustomTlvs } from './custom-tlvs.ts';

/** Minutes in a year. */
const MAX_MINUTES = 525_600;

/** Alphabets by `coding`; the content of other codings is binary or has an alphabet of few phones. */
const alphabets: Readonly<Record<string, string>> = {
  0: 'utf-8',
  1: 'utf-8',
  3: 'iso-8859-1',
  8: 'utf-16be',
};

/** The fields of a request: of its query, its form, or its JSON object. */
export interface JasminFields {
  bytes(name: string): Buffer | undefined;
  text(name: string): string | undefined;
  /** Value of a field that is more than a text. Only JSON has such. */
  value?(name: string): unknown;
}

/** Fields of a JSON object: texts, and numbers as their digits. */
class JsonFields implements JasminFields {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(body: Buffer) {
    let read: unknown;
    try {
      read = JSON.parse(body.toString('utf8'));
    } catch {
      throw new Refusal('unreadable', 'the JSON cannot be read.');
    }
    if (typeof read !== 'object' || read === null || Array.isArray(read))
      throw new Refusal('unreadable', 'the JSON is no object.');
    this.#values = read as Readonly<Record<string, unknown>>;
  }

  value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
  }

  text(name: string): string | undefined {
    const value = this.value(name);
    if (typeof value !== 'string' && typeof value !== 'number') return undefined;
    return String(value).toWellFormed().replaceAll('\0', '\ufffd');
  }

  bytes(name: string): Buffer | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Buffer.from(text);
  }
}

/** Returns the fields of a request with this content type. Throws Refusal `unreadable` for a JSON body that is no object. */
export function fieldsOf(request: FastifyRequest, type: string): JasminFields {
  const body = request.body as Buffer | undefined;
  if (request.method === 'GET' || !body?.length) return new Form(queryOf(request.originalUrl));
  return /^application\/json\b/i.test(type) ? new JsonFields(body) : new Form(body);
}

/** Returns a field. Throws Refusal `bad-field` for a value of another form. */
function checked(fields: JasminFields, name: string, pattern: RegExp): string | undefined {
  const value = fields.text(name);
  if (value === undefined || value === '') return undefined;
  if (!pattern.test(value)) throw badField(name, 'invalid', 'wrong-format');
  return value;
}

/** Returns the text of `content`, or of `hex-content`, by `coding`. Throws Refusal. */
export function readContent(fields: JasminFields): string | undefined {
  const coding = checked(fields, 'coding', /^([0-9]|10|13|14)$/) ?? '0';
  const alphabet = alphabets[coding];
  if (alphabet === undefined) throw badField('coding', 'not supported', 'wrong-format');
  const content = fields.bytes('content');
  const hex = checked(fields, 'hex-content', /^([0-9a-f]{2})*$/i);
  if (content && hex !== undefined)
    throw new Refusal('unreadable', 'content and hex-content cannot be used both in same request.');
  if (!content && hex === undefined) return undefined;
  // Octets of the default alphabet: those below 128 that a program writes are those of ASCII.
  const bytes = content ?? Buffer.from(hex!, 'hex');
  const text = textIn(alphabet, bytes);
  if (text === undefined) throw badField(content ? 'content' : 'hex-content', 'invalid', 'wrong-format');
  return text.replaceAll('\0', '\ufffd');
}

/** Returns the destination. Throws Refusal `bad-field`. */
export function readTo(fields: JasminFields): string {
  const to = checked(fields, 'to', /^\+?\d{1,30}$/);
  if (to === undefined) throw badField('to', 'missing', 'missing');
  return to;
}

/** The reports that a send asks for. */
interface AskedReports {
  readonly url: string;
  readonly level: string;
  readonly method: 'GET' | 'POST';
}

/** A read request. */
export interface JasminSend {
  readonly to: string;
  readonly from: string | undefined;
  readonly text: string;
  /** Minutes; undefined: those of the service. */
  readonly validity: number | undefined;
  /** Milliseconds since the epoch; null: now. */
  readonly dueAt: number | null;
  readonly reports: AskedReports | undefined;
  /** Optional parameters, and the DLT ids in them. */
  readonly options: CarrierOptions | undefined;
}

/** Reads the fields of a send. Throws Refusal. */
export function readJasminSend(fields: JasminFields, now: number): JasminSend {
  const to = readTo(fields);
  const text = readContent(fields);
  if (text === undefined) throw new Refusal('unreadable', 'content or hex-content not present.');
  checked(fields, 'priority', /^[0-3]$/);
  checked(fields, 'tags', /^[-a-zA-Z0-9,]{0,200}$/);
  if (!fields.value && fields.text('custom_tlvs'))
    throw badField('custom_tlvs', 'not supported outside of a JSON body', 'wrong-format');
  const validity = checked(fields, 'validity-period', /^\d{1,6}$/);
  const sdt = checked(fields, 'sdt', /^\d{15}[+R-]$/);
  const dueAt = sdt === undefined ? null : readSmppTime(sdt, now);
  if (dueAt === undefined || (dueAt !== null && dueAt > now + MAX_MINUTES * 60_000))
    throw badField('sdt', 'invalid', 'wrong-format');
  return {
    to,
    from: fields.text('from') || undefined,
    text,
    validity: validity === undefined ? undefined : Math.max(1, Number(validity)),
    dueAt,
    reports: readReports(fields),
    options: readCustomTlvs(fields.value?.('custom_tlvs')),
  };
}

/** Reads which reports are wanted: without an address, none. A level or an address means yes. */
function readReports(fields: JasminFields): AskedReports | undefined {
  const url = checked(fields, 'dlr-url', /^https?:\/\//);
  const level = checked(fields, 'dlr-level', /^[1-3]$/) ?? '1';
  const method = (checked(fields, 'dlr-method', /^(get|post)$/i) ?? 'POST').toUpperCase() as 'GET' | 'POST';
  checked(fields, 'dlr', /^(yes|no)$/);
  return url === undefined ? undefined : { url, level, method };
}

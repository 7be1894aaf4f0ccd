import type { FastifyRequest } from 'fastify';
import { badField, Refusal } from '../../kit/errors.ts';
import { Form } from '../http-interfaces/form.ts';

/** Digits of the application number and of the sender in a service sid. */
const APP_DIGITS = 8;

/** A verification service: an application whose codes are separate, and their sender. */
export interface VerifyService {
  readonly sid: string;
  readonly appId: number;
  readonly source: string;
}

/**
 * Parses a service sid: `VA`, the application number as 8 hexadecimal digits, and the ASCII codes of the sender as 24,
 * filled with zeros. So a service needs no registration. Throws Refusal `not-found`.
 */
export function readService(sid: string): VerifyService {
  const digits = /^VA([0-7][0-9a-f]{31})$/.exec(sid)?.[1];
  const bytes = Buffer.from(digits?.slice(APP_DIGITS) ?? '', 'hex');
  const [source = '', ...filling] = bytes.toString('latin1').split('\0');
  if (digits === undefined || !/^[ -~]+$/.test(source) || filling.join('') !== '')
    throw new Refusal('not-found', 'no such service');
  return { sid, appId: Number.parseInt(digits.slice(0, APP_DIGITS), 16), source };
}

/** Fields that this service has nothing for. */
const unsupported = ['CustomCode', 'CustomMessage', 'TemplateSid', 'Templates', 'SendDigits', 'AppHash'];

const formOf = ({ body }: FastifyRequest) => new Form((body as Buffer | undefined) ?? '');

/** Returns the number to verify. Throws Refusal `bad-field`. */
export function readVerification(request: FastifyRequest): string {
  const form = formOf(request);
  const to = form.text('To');
  if (!to) throw badField('To', 'missing', 'missing');
  if (form.text('Channel') !== 'sms') throw badField('Channel', 'must be sms', 'wrong-format');
  for (const name of unsupported) {
    if (form.text(name)) throw badField(name, 'is not supported', 'wrong-format');
  }
  return to;
}

/** A read check: of a number, or of a verification by its sid. */
export interface CheckInput {
  readonly to: string | undefined;
  readonly sid: string | undefined;
  readonly code: string;
}

/** Reads the form of a check. Throws Refusal `bad-field`. */
export function readCheck(request: FastifyRequest): CheckInput {
  const form = formOf(request);
  const [to, sid] = [form.text('To') || undefined, form.text('VerificationSid') || undefined];
  if (to === undefined && sid === undefined) throw badField('To', 'missing', 'missing');
  const code = form.text('Code') ?? '';
  // A code has six digits; others that Twilio permits are wrong without a guess being counted.
  if (!/^\d{4,10}$/.test(code)) throw badField('Code', 'must be 4 to 10 digits', 'wrong-format');
  return { to, sid, code };
}

/** Statuses that a program can give a verification. */
const endedStatuses = ['canceled', 'approved'] as const;
export type EndedStatus = (typeof endedStatuses)[number];

/** Reads the form of an update. Throws Refusal `bad-field`. */
export function readStatus(request: FastifyRequest): EndedStatus {
  const status = formOf(request).text('Status');
  if (!status) throw badField('Status', 'missing', 'missing');
  const known = endedStatuses.find((one) => one === status);
  if (!known) throw badField('Status', 'must be canceled or approved', 'wrong-format');
  return known;
}

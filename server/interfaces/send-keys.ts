import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TakesSendKey } from '../access/rules.ts';
import type { Queryable } from '../database/connection.ts';
import { readSendKey, SEND_KEY_HEADER } from '../send-keys/key.ts';
import {
  type Outcome,
  type SendKeyRequest,
  type SendKeys,
  type SendKeyUse,
  storeSendKey,
} from '../send-keys/send-keys.ts';
import { noteRepeated } from './request-notes.ts';

/*
 * Send keys of every API: read from the header and the field, used, and told of in the answer. Which routes and
 * operations take one stands in the access table.
 */

/** Says of an answer that it is that of an earlier request. */
const REPLAYED_HEADER = 'idempotent-replayed';
const keyHeader = SEND_KEY_HEADER.toLowerCase();

/** A request that sends or pays, and what it is asked for. */
export interface KeyedCall extends Omit<SendKeyRequest, 'key' | 'isSealed'> {
  /** The field `send_key`; undefined where it is not given. */
  readonly field?: string | undefined;
  /** The row of the access table: undefined for what takes no key, and then one is not looked at. */
  readonly takes: TakesSendKey | undefined;
  /** Nothing is stored: a key is read and not used. */
  readonly dryRun?: boolean;
  /** As `SendKeys.perform` has it. */
  readonly looksFirst?: boolean;
}

/** Whether a request has a key, in the header or in the field. */
export const hasSendKey = (request: FastifyRequest, field?: string): boolean =>
  field !== undefined || request.headers[keyHeader] !== undefined;

/**
 * Does what a request asks for, once for its key; `act` gets the key, undefined without one. Throws Refusal `bad-field`
 * for a key that cannot be used, and as `SendKeys.perform` does.
 */
export async function onceByKey<Answer>(
  sendKeys: SendKeys,
  request: FastifyRequest,
  reply: FastifyReply,
  call: KeyedCall,
  act: (use: SendKeyUse | undefined) => Promise<Answer>,
): Promise<Outcome<Answer>> {
  const { field, takes, dryRun = false, looksFirst = true } = call;
  const key = takes && readSendKey(request.headers[keyHeader], field);
  if (key === undefined || dryRun) return { answer: await act(undefined), repeated: false };
  const use = await sendKeys.use({ ...call, key, isSealed: takes === 'sealed' });
  const outcome = await sendKeys.perform(use, () => act(use), { looksFirst });
  if (outcome.repeated) {
    reply.header(REPLAYED_HEADER, 'true');
    noteRepeated(request);
  }
  return outcome;
}

/** Stores the key of a call with its answer, in the transaction that does it; nothing for a call without one. */
export const storeAnswer = (
  tx: Queryable,
  accountId: number,
  use: SendKeyUse | undefined,
  answer: object,
): Promise<void> =>
  storeSendKey(
    tx,
    accountId,
    use?.answering(() => answer),
    undefined,
  );

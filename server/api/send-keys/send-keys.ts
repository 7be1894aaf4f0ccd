import { createHash } from 'node:crypto';
import type { Queryable } from '../../database/connection.ts';
import { isDatabaseTrouble } from '../../database/trouble.ts';
import { leadOf } from '../../kit/clock.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';
import { FINGERPRINT_BYTES, fingerprintOf } from './fingerprint.ts';
import { sendKeysTotal } from './metrics.ts';
import {
  findSendKey,
  insertSendKeys,
  isSendKeyTaken,
  removeOldSendKeys,
  type SendKeyRow,
  type StoredSendKey,
} from './store.ts';

/** The purpose that responses are encrypted for. */
const SEALED_ANSWER = 'send_keys.sealed_answer';

/** Milliseconds that a request waits for another one with the same key. */
const WAIT_MS = 10_000;
/** Attempts for a request whose key existed and then disappeared. */
const ATTEMPTS = 3;

/** A request with a key. */
export interface SendKeyRequest {
  /** The account that the call acts for: keys of two accounts are separate. */
  readonly accountId: number;
  readonly key: string;
  /** Whether an operator calls: their keys are separate from the account's. */
  readonly isOperator?: boolean;
  /** The operation, the same for all its names and forms. */
  readonly operation: string;
  /** Input of the operation. */
  readonly content: unknown;
  /** Whether the response may contain data that only the caller may read. Then it is stored encrypted. */
  readonly isSealed: boolean;
  /** Whether a streamed body is part of the input: `SendKeyUse.complete` adds it. */
  readonly hasStream?: boolean;
}

/**
 * A key for the transaction that does the work. The transaction stores `row` (`storeSendKey`), which contains the
 * response to the result of the work.
 */
export interface SendKey<Result> {
  readonly key: string;
  row(result: Result): SendKeyRow;
}

/** Result of a call with a key. */
export interface Outcome<Answer> {
  readonly answer: Answer;
  /** Whether it is the response of an earlier call, and nothing was done now. */
  readonly repeated: boolean;
}

/** A key with the request that uses it. */
export class SendKeyUse {
  readonly accountId: number;
  readonly key: string;
  readonly aheadMs: number;
  readonly #secrets: SecretBox | undefined;
  #fingerprint: Buffer;
  #isComplete: boolean;

  /** @param options `secrets` encrypts the response; undefined: it is stored as plain text */
  constructor(
    accountId: number,
    key: string,
    fingerprint: Buffer,
    options: { aheadMs: number; secrets: SecretBox | undefined; isComplete: boolean },
  ) {
    this.accountId = accountId;
    this.key = key;
    this.#fingerprint = fingerprint;
    this.aheadMs = options.aheadMs;
    this.#secrets = options.secrets;
    this.#isComplete = options.isComplete;
  }

  get fingerprint(): Buffer {
    return this.#fingerprint;
  }

  /** Whether the fingerprint covers the whole input. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Adds the digest of a streamed body. */
  complete(digest: Buffer): void {
    const whole = createHash('sha256').update(this.#fingerprint).update(digest).digest();
    this.#fingerprint = whole.subarray(0, FINGERPRINT_BYTES);
    this.#isComplete = true;
  }

  /** Row identifier that the encrypted response is bound to. */
  get sealedFor(): string {
    return `${this.accountId}/${this.key}`;
  }

  /** Returns the key for a transaction. `answerOf` creates the response, a JSON value, from the result of the work. */
  answering<Result>(answerOf: (result: Result) => object): SendKey<Result> {
    const { key, aheadMs } = this;
    return {
      key,
      row: (result) => {
        const { fingerprint } = this;
        const json = JSON.stringify(answerOf(result));
        const sealedAnswer = this.#secrets?.seal(json, SEALED_ANSWER, this.sealedFor) ?? null;
        return { key, fingerprint, answer: sealedAnswer ? null : json, sealedAnswer, aheadMs };
      },
    };
  }
}

/** Returns a key for work whose result the caller has before the transaction. */
export const settled = <Result>(sendKey: SendKey<Result>, result: Result): SendKey<unknown> => ({
  key: sendKey.key,
  row: () => sendKey.row(result),
});

/** Stores the key of a request in the transaction that does its work; does nothing for a request without one. */
export async function storeSendKey<Result>(
  tx: Queryable,
  accountId: number,
  sendKey: SendKey<Result> | undefined,
  result: Result,
): Promise<void> {
  if (!sendKey) return;
  const row = sendKey.row(result);
  await insertSendKeys(tx, accountId, [row], row.aheadMs);
}

type SendKeysDeps = Pick<Context, 'sql' | 'clock' | 'secrets'>;

/**
 * Runs a call once, however often it is sent (docs/send-keys.md). The key is a row that the transaction of the work
 * inserts. Its primary key decides between processes, and the row exists if and only if the work is done.
 */
export class SendKeys {
  readonly #deps: SendKeysDeps;
  /** Requests in progress in this process, by account and key. */
  readonly #active = new Map<string, Promise<void>>();
  #hashKey: Promise<Buffer> | undefined;
  #stopping = false;

  constructor(deps: SendKeysDeps) {
    this.#deps = deps;
  }

  /** Prepares a key for `perform`. Throws database errors, at the first use in a process. */
  async use(request: SendKeyRequest): Promise<SendKeyUse> {
    const { secrets, clock } = this.#deps;
    const { accountId, operation, content, isSealed, isOperator = false, hasStream = false } = request;
    this.#hashKey ??= installationKey(this.#deps.sql, secrets, 'send_keys').catch((error: unknown) => {
      this.#hashKey = undefined;
      throw error;
    });
    const fingerprint = await fingerprintOf(await this.#hashKey, operation, content);
    const key = isOperator ? `\n${request.key}` : request.key;
    const options = {
      aheadMs: leadOf(clock),
      secrets: isSealed ? secrets : undefined,
      isComplete: !hasStream,
    };
    return new SendKeyUse(accountId, key, fingerprint, options);
  }

  /**
   * Runs a request once: `act` does the work, and stores the key (`use.answering`) in its transaction. If the key
   * exists already, returns the stored response. A refusal stores nothing, so the same key may be tried again.
   * The key is looked up if its insertion fails, or if `act` refuses, because the reason may be that the work is
   * already done. `looksFirst` also looks it up before `act`, for work that is expensive or has effects before its
   * transaction.
   *
   * @throws Refusal `key-reused` for a key that was used with another body, `key-in-progress` if the request in
   * progress takes too long, and errors of `act`
   */
  async perform<Answer>(
    use: SendKeyUse,
    act: () => Promise<Answer>,
    { looksFirst = false }: { looksFirst?: boolean } = {},
  ): Promise<Outcome<Answer>> {
    const id = `${use.accountId} ${use.key}`;
    const hasWaited = await this.#turn(id);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#active.set(id, promise);
    try {
      return await this.#once(use, act, looksFirst || hasWaited);
    } finally {
      this.#active.delete(id);
      resolve();
    }
  }

  /** Whether a request with this key was done in the last 24 hours. The request with the key decides, not this look-up. */
  async isUsed(accountId: number, key: string): Promise<boolean> {
    const { sql, clock } = this.#deps;
    return (await findSendKey(sql, accountId, key, leadOf(clock))) !== undefined;
  }

  /** Deletes expired keys. */
  async cleanUp(): Promise<void> {
    await removeOldSendKeys(this.#deps.sql, leadOf(this.#deps.clock), () => this.#stopping);
  }

  /** Makes `cleanUp` end after its current step. */
  stop(): void {
    this.#stopping = true;
  }

  /** Waits until no other request of this process uses the key. Returns whether one did. */
  async #turn(id: string): Promise<boolean> {
    const deadline = performance.now() + WAIT_MS;
    let hasWaited = false;
    for (let other = this.#active.get(id); other; other = this.#active.get(id)) {
      hasWaited = true;
      if (await isSettledBefore(other, deadline)) continue;
      throw inProgress();
    }
    return hasWaited;
  }

  async #once<Answer>(
    use: SendKeyUse,
    act: () => Promise<Answer>,
    looksFirst: boolean,
  ): Promise<Outcome<Answer>> {
    const earlier = looksFirst && use.isComplete ? await this.#find(use) : undefined;
    if (earlier) return this.#repeat<Answer>(use, earlier);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      try {
        const answer = await act();
        sendKeysTotal.inc({ result: 'stored' });
        return { answer, repeated: false };
      } catch (error) {
        // Whether the work was done is unknown, and the database would not answer a look-up.
        if (isDatabaseTrouble(error) || (error instanceof Refusal && error.code === 'try-again')) throw error;
        const stored = use.isComplete ? await this.#find(use) : undefined;
        if (stored) return this.#repeat<Answer>(use, stored);
        if (!isSendKeyTaken(error)) throw error;
      }
    }
    throw inProgress();
  }

  #find({ accountId, key, aheadMs }: SendKeyUse): Promise<StoredSendKey | undefined> {
    return findSendKey(this.#deps.sql, accountId, key, aheadMs);
  }

  #repeat<Answer>(use: SendKeyUse, stored: StoredSendKey): Outcome<Answer> {
    if (!stored.fingerprint.equals(use.fingerprint)) {
      sendKeysTotal.inc({ result: 'reused' });
      throw new Refusal('key-reused', 'the send key was used with another request in the last 24 hours');
    }
    sendKeysTotal.inc({ result: 'repeated' });
    const json =
      stored.sealedAnswer === null
        ? stored.answer!
        : this.#deps.secrets.openText(stored.sealedAnswer, SEALED_ANSWER, use.sealedFor);
    return { answer: JSON.parse(json) as Answer, repeated: true };
  }
}

function inProgress(): Refusal {
  sendKeysTotal.inc({ result: 'waited' });
  return new Refusal('key-in-progress', 'a request with the same send key is not done yet, try again');
}

async function isSettledBefore(promise: Promise<void>, deadline: number): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(resolve, Math.max(0, deadline - performance.now()), false as const);
  try {
    return (await Promise.race([promise.then(() => true), over])) !== false;
  } finally {
    clearTimeout(timer);
  }
}

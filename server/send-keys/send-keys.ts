import { createHash } from 'node:crypto';
import { leadOf } from '../clock.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../database/connection.ts';
import { isDatabaseTrouble } from '../database/trouble.ts';
import { Refusal } from '../errors.ts';
import { installationKey } from '../secrets/installation-keys.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
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

/** The purpose that answers are sealed for. */
const SEALED_ANSWER = 'send_keys.sealed_answer';

/** How long a request waits for another one with the same key, in milliseconds. */
const WAIT_MS = 10_000;
/** How often a request is tried whose key was there and is not any more. */
const ATTEMPTS = 3;

/** A request with a key, as it is asked for. */
export interface SendKeyRequest {
  /** The account that the call acts for: keys of two accounts never meet. */
  readonly accountId: number;
  readonly key: string;
  /** Whether an operator calls: their keys and the account's never meet. */
  readonly isOperator?: boolean;
  /** What is called, the same for all names and forms that it has. */
  readonly operation: string;
  /** What it is asked for. */
  readonly content: unknown;
  /** Whether the answer may hold what only the caller is to read: then it is stored encrypted. */
  readonly isSealed: boolean;
  /** Whether a body that is read as a stream belongs to what is asked for: `SendKeyUse.complete` adds it. */
  readonly hasStream?: boolean;
}

/**
 * A key on its way to the transaction that does the work: `row` is what that stores (`storeSendKey`), with the answer to
 * the work's result.
 */
export interface SendKey<Result> {
  readonly key: string;
  row(result: Result): SendKeyRow;
}

/** What a call with a key came to. */
export interface Outcome<Answer> {
  readonly answer: Answer;
  /** Whether it is the answer of an earlier call, and nothing was done now. */
  readonly repeated: boolean;
}

/** A key with what it is used for. */
export class SendKeyUse {
  readonly accountId: number;
  readonly key: string;
  readonly aheadMs: number;
  readonly #secrets: SecretBox | undefined;
  #fingerprint: Buffer;
  #isComplete: boolean;

  /** @param options `secrets` seals the answer; undefined: it is stored as it is */
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

  /** Whether all is known that is asked for. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Adds the digest of a body that was read as a stream. */
  complete(digest: Buffer): void {
    const whole = createHash('sha256').update(this.#fingerprint).update(digest).digest();
    this.#fingerprint = whole.subarray(0, FINGERPRINT_BYTES);
    this.#isComplete = true;
  }

  /** What seals and opens the answer is bound to its row. */
  get sealedFor(): string {
    return `${this.accountId}/${this.key}`;
  }

  /** The key for a transaction; `answerOf` makes the answer, which JSON can write, of what the work has come to. */
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

/** A key whose work has a result that is known before its transaction. */
export const settled = <Result>(sendKey: SendKey<Result>, result: Result): SendKey<unknown> => ({
  key: sendKey.key,
  row: () => sendKey.row(result),
});

/** Stores the key of a request in the transaction that does its work; nothing for a request without one. */
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
 * Calls that are done once however often they are sent (docs/send-keys.md). The key is a row that the transaction of the
 * work inserts: its primary key decides between processes, and the row is there if and only if the work is.
 */
export class SendKeys {
  readonly #deps: SendKeysDeps;
  /** Requests that are being done in this process, by account and key. */
  readonly #active = new Map<string, Promise<void>>();
  #hashKey: Promise<Buffer> | undefined;
  #stopping = false;

  constructor(deps: SendKeysDeps) {
    this.#deps = deps;
  }

  /** Makes a key ready for `perform`. Throws what the database throws, at the first use in a process. */
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
   * Does a request once: `act` does it, and stores the key (`use.answering`) in its transaction. When the key is there
   * already, the answer that was stored with it. A refusal stores nothing, so the same key may be tried again.
   *
   * A key is looked up when it turns out to be there, or when `act` refuses, which it may do because it was done before.
   * `looksFirst`: also before `act`, for work that does something before its transaction, or much.
   *
   * @throws Refusal `key-reused` for a key that was used with another body, `key-in-progress` when the request that it is
   *   used with takes too long, and what `act` throws
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

  /** Removes keys that are over. */
  async cleanUp(): Promise<void> {
    await removeOldSendKeys(this.#deps.sql, leadOf(this.#deps.clock), () => this.#stopping);
  }

  /** Lets `cleanUp` end after the step that it is in. */
  stop(): void {
    this.#stopping = true;
  }

  /** Waits until no other request of this process has the key; whether one had it. */
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
        // Whether it was done is not known then, and asking would not be answered.
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

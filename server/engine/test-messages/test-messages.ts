import type { SendKeyUse } from '../../api/send-keys/send-keys.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { idFloor } from '../../kit/ids.ts';
import type { ExchangeRecorder, RecordedExchange } from '../../protocols/http-carrier/recording.ts';
import type { CarrierNetwork } from '../connectors/network.ts';
import type { Acceptor } from '../messages/accept.ts';
import type { ShipmentRequest } from '../messages/plan.ts';
import type { StateColumns } from '../messages/states.ts';

/** Test messages that one operator may send in a minute: enough to try a setting, and too few to reach many people. */
const MAX_IN_A_MINUTE = 5;
const MINUTE_MS = 60_000;
/** Milliseconds for which a test message is sent: nobody waits longer for it. */
const VALIDITY_MS = 3_600_000;
/** Milliseconds for which a test message is shown. */
const SHOWN_MS = 86_400_000;
/** Rows are deleted in the hour before this age is over, by work that runs once an hour. */
const KEPT_MS = SHOWN_MS - 3_600_000;

interface TestMessagesDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log'> {
  readonly network: Pick<CarrierNetwork, 'onlyRouteOf' | 'smsConnectors' | 'isEnabled'>;
  readonly acceptor: Pick<Acceptor, 'accept'>;
}

/** A test message before it is accepted. */
interface NewTestMessage {
  readonly connector: string;
  /** Id of the operator. */
  readonly personId: number;
  /** A send to one number, which the checks of every API have passed. */
  readonly request: ShipmentRequest;
}

/** A test message with its state. */
export interface TestMessage {
  readonly id: number;
  readonly accountId: number;
  readonly connector: string;
  readonly messageId: number;
  /** Undefined when the message was deleted. */
  readonly message: StateColumns | undefined;
  /** Number of recorded exchanges with the provider. */
  readonly attempts: number;
  /** The last one; undefined without one. */
  readonly exchange: RecordedExchange | undefined;
}

interface TestRow {
  readonly id: number;
  readonly account_id: number;
  readonly shipment_id: number;
  readonly connector: string;
  readonly attempts: number;
  readonly exchange: string | null;
}

/**
 * Messages that operators send over one connector to try it. Each is a message of an account: it passes the acceptor, the gate and
 * the wallet as every other, and only its route is fixed.
 */
export class TestMessages {
  readonly #deps: TestMessagesDeps;

  constructor(deps: TestMessagesDeps) {
    this.#deps = deps;
  }

  /**
   * Accepts a test message, and returns its id. Throws Refusal `not-now` for a connector that cannot send SMS, `too-fast`, and those
   * of `Acceptor.accept`.
   */
  async send({ connector, personId, request }: NewTestMessage, sendKey?: SendKeyOf): Promise<number> {
    const { ids, network, acceptor } = this.#deps;
    this.#check(connector);
    const id = ids.next();
    await acceptor.accept({
      ...request,
      route: await network.onlyRouteOf(connector),
      validityMs: VALIDITY_MS,
      carrierOptions: { ...request.carrierOptions, test: id },
      within: (tx, shipmentId) =>
        this.#store(tx, {
          id,
          shipmentId,
          connector,
          personId,
          accountId: request.accountId,
          phone: request.items[0]!.phone,
        }),
      ...(sendKey && { sendKey: sendKey(id) }),
    });
    return id;
  }

  /** Returns a test message of the last day; undefined without one. */
  async find(id: number): Promise<TestMessage | undefined> {
    const { sql, clock } = this.#deps;
    const [row] = await sql<TestRow[]>`
      SELECT id, account_id, shipment_id, connector, attempts, exchange FROM test_messages
      WHERE id = ${id} AND id >= ${idFloor(clock.now() - SHOWN_MS)}`;
    if (!row) return undefined;
    const { account_id: accountId, connector, attempts } = row;
    const [message] = await sql<(StateColumns & { readonly id: number })[]>`
      SELECT m.id, m.status, m.code, m.handed_at, m.final_at, m.read_at FROM shipments s
      JOIN messages m ON m.account_id = s.account_id AND m.id = s.first_id
      WHERE s.account_id = ${accountId} AND s.id = ${row.shipment_id} AND m.account_id = ${accountId}`;
    // Empty if its key is lost.
    const exchange = row.exchange ? (JSON.parse(row.exchange) as RecordedExchange) : undefined;
    return { id, accountId, connector, messageId: message?.id ?? 0, message, attempts, exchange };
  }

  /** Stores the exchanges of HTTP connectors, each in place of the one before. */
  readonly recorder: ExchangeRecorder = {
    record: (accountId, testId, exchange) => {
      void this.#record(accountId, testId, exchange).catch((error: unknown) => {
        this.#deps.log.warn({ err: error }, 'exchange of a test message not stored');
      });
    },
  };

  /** Deletes test messages before they are a day old. */
  async cleanUp(): Promise<void> {
    const { sql, clock } = this.#deps;
    await sql`DELETE FROM test_messages WHERE id < ${idFloor(clock.now() - KEPT_MS)}`;
  }

  #check(connector: string): void {
    const { network } = this.#deps;
    if (network.smsConnectors().some(({ name }) => name === connector)) return;
    throw network.isEnabled(connector)
      ? new Refusal('not-now', 'not a connector of SMS, or its secrets are missing', undefined, {
          reason: 'not-an-sms-connector',
        })
      : new Refusal('not-now', 'the connector is disabled; enable it first', undefined, {
          reason: 'connector-disabled',
        });
  }

  async #store(
    tx: TransactionSql,
    test: Omit<NewTestMessage, 'request'> & {
      readonly id: number;
      readonly shipmentId: number;
      readonly accountId: number;
      readonly phone: string;
    },
  ): Promise<void> {
    const { id, shipmentId, connector, personId, accountId, phone } = test;
    await this.#count(tx, personId);
    await tx`
      INSERT INTO test_messages (account_id, id, shipment_id, connector, phone, person_id)
      VALUES (${accountId}, ${id}, ${shipmentId}, ${connector}, ${phone}, ${personId})`;
  }

  /** Throws Refusal `too-fast` for an operator who has sent as many in the last minute as they may. */
  async #count(tx: Queryable, personId: number): Promise<void> {
    // Requests of one operator at the same time would not see each other's rows.
    await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`test messages ${personId}`}, 0))`;
    const [row] = await tx<{ count: number }[]>`
      SELECT count(*)::int AS count FROM test_messages
      WHERE person_id = ${personId} AND id > ${idFloor(this.#deps.clock.now() - MINUTE_MS)}`;
    if (row!.count >= MAX_IN_A_MINUTE)
      throw new Refusal('too-fast', `${MAX_IN_A_MINUTE} test messages in a minute; try again later`);
  }

  async #record(accountId: number, testId: number, exchange: RecordedExchange): Promise<void> {
    const { sql } = this.#deps;
    const isWithoutTexts = sql.withoutTexts([accountId]).length > 0;
    const kept = JSON.stringify(isWithoutTexts ? withoutText(exchange) : exchange);
    await sql`
      UPDATE test_messages SET attempts = attempts + 1, exchange = ${sql.waitingText(accountId, kept)}
      WHERE account_id = ${accountId} AND id = ${testId}`;
  }
}

/** Returns the send key of a request, by the id of its test message. */
type SendKeyOf = (id: number) => ReturnType<SendKeyUse['answering']>;

/** For an account that stores no texts: the request contains the text, and an answer may. */
const withoutText = (exchange: RecordedExchange): RecordedExchange => ({
  ...exchange,
  request: null,
  answer: exchange.answer && { ...exchange.answer, body: null },
});

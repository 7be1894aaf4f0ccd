import { timingSafeEqual } from 'node:crypto';
import { type Queryable, violatedConstraint } from '../../database/connection.ts';
import { TableCache } from '../../database/table-cache.ts';
import type { Context } from '../../kit/context.ts';
import { badField, Refusal } from '../../kit/errors.ts';

/** A program of an account that may bind to the SMPP server. */
export interface SmppClient {
  readonly accountId: number;
  readonly id: number;
  readonly systemId: string;
  readonly name: string;
  readonly enabled: boolean;
  /** CIDR blocks from which it may bind; empty: any address. */
  readonly addresses: readonly string[];
  readonly tlsRequired: boolean;
  readonly maxBinds: number;
  /** 0: no limit. */
  readonly messagesPerSecond: number;
  /** Maximum requests without an answer on one bind. */
  readonly window: number;
  /** Sender of messages without one. */
  readonly defaultSource: string | null;
  /** Senders that it may use; empty: all of the account. */
  readonly sources: readonly string[];
  /** Alphabet of data_coding 0. */
  readonly defaultAlphabet: 'gsm' | 'latin1';
  /** Whether it may send to other countries. */
  readonly international: boolean;
  /** Whether it receives the incoming messages of the account. */
  readonly incoming: boolean;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** Settings of a new client. */
export type NewSmppClient = Omit<SmppClient, 'id' | 'accountId' | 'createdAt'> & {
  readonly password: string;
};

/** Changes of a client; undefined keeps the value. */
export type SmppClientChange = {
  readonly [Name in keyof Omit<NewSmppClient, 'systemId'>]?: NewSmppClient[Name] | undefined;
};

const systemIdForm = /^[A-Za-z0-9_.@-]{1,64}$/;

/** Whether a text may be a system id. */
export const isSystemId = (text: string): boolean => systemIdForm.test(text);

/** Maximum number of clients of an account. */
export const MAX_CLIENTS = 20;
/** Milliseconds until other processes see a change. */
const CACHE_MS = 2_000;
const PURPOSE = 'smpp_clients.password';

interface StoredClient extends SmppClient {
  /** Sealed. */
  readonly password: Buffer | null;
}

interface Known {
  readonly bySystemId: ReadonlyMap<string, StoredClient>;
  readonly byId: ReadonlyMap<number, StoredClient>;
  readonly byAccount: ReadonlyMap<number, readonly StoredClient[]>;
}

type Deps = Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets'>;

/** The SMPP clients of all accounts: a small table, kept in memory for two seconds. */
export class SmppClients {
  readonly #deps: Deps;
  readonly #cache: TableCache<Known>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#cache = new TableCache({
      owner: 'module smpp-server',
      maxAgeMs: CACHE_MS,
      read: () => readClients(deps.sql),
    });
  }

  /** Lists the clients of an account, oldest first. */
  async list(accountId: number): Promise<readonly SmppClient[]> {
    await this.#cache.reload();
    return (this.#cache.known!.byAccount.get(accountId) ?? []).map(withoutPassword);
  }

  /** Returns a client of an account; undefined if no client of the account has this id. */
  async one(accountId: number, id: number): Promise<SmppClient | undefined> {
    return (await this.list(accountId)).find((client) => client.id === id);
  }

  /** Returns the client with a system id. Names that were added by other processes are found, too. */
  async bySystemId(systemId: string): Promise<SmppClient | undefined> {
    return this.#cache.find(({ bySystemId }) => bySystemId.get(systemId));
  }

  /** Reads the clients again if the last read is older than two seconds. */
  async refresh(): Promise<void> {
    await this.#cache.fresh();
  }

  /** Returns a client from memory; undefined if it was removed. */
  cached(id: number): SmppClient | undefined {
    return this.#cache.known?.byId.get(id);
  }

  /** Returns the clients of an account from memory. */
  cachedOf(accountId: number): readonly SmppClient[] {
    return this.#cache.known?.byAccount.get(accountId) ?? [];
  }

  /** Whether a password is that of a client. Always false for a client whose password was lost. */
  isPassword(clientId: number, given: string): boolean {
    const sealed = this.#cache.known?.byId.get(clientId)?.password;
    if (!sealed) return false;
    const password = this.#deps.secrets.open(sealed, PURPOSE, clientId);
    const bytes = Buffer.from(given);
    return bytes.length === password.length && timingSafeEqual(bytes, password);
  }

  /** Creates a client. Throws Refusal `bad-field` for a system id that exists, and `not-now` for too many clients. */
  async create(accountId: number, { password, ...client }: NewSmppClient): Promise<SmppClient> {
    const { sql, ids, clock, secrets } = this.#deps;
    const id = ids.next();
    const now = clock.now();
    try {
      const { count } = await sql`
        INSERT INTO smpp_clients (account_id, id, system_id, password, name, enabled, addresses, tls_required, max_binds,
          messages_per_second, send_window, default_source, sources, default_alphabet, international, incoming,
          created_at, changed_at)
        SELECT ${accountId}, ${id}, ${client.systemId}, ${secrets.seal(password, PURPOSE, id)}, ${client.name},
          ${client.enabled}, ${[...client.addresses]}, ${client.tlsRequired}, ${client.maxBinds},
          ${client.messagesPerSecond}, ${client.window}, ${client.defaultSource}, ${[...client.sources]},
          ${client.defaultAlphabet}, ${client.international}, ${client.incoming}, ${now}, ${now}
        WHERE (SELECT count(*) FROM smpp_clients WHERE account_id = ${accountId}) < ${MAX_CLIENTS}`;
      if (count === 0)
        throw new Refusal('not-now', `at most ${MAX_CLIENTS} SMPP clients, delete one first`, undefined, {
          reason: 'limit-reached',
          params: { max: MAX_CLIENTS },
        });
    } catch (error) {
      if (violatedConstraint(error) === 'smpp_clients_system_id_key')
        throw badField('systemId', 'another client has this system id', 'taken');
      throw error;
    }
    return (await this.one(accountId, id))!;
  }

  /** Changes a client. Returns undefined if no client of the account has this id. */
  async change(
    accountId: number,
    id: number,
    { password, addresses, sources, ...change }: SmppClientChange,
  ): Promise<SmppClient | undefined> {
    const { sql, clock, secrets } = this.#deps;
    const columns = {
      changed_at: clock.now(),
      ...(password !== undefined && { password: secrets.seal(password, PURPOSE, id) }),
      ...(addresses !== undefined && { addresses: [...addresses] }),
      ...(sources !== undefined && { sources: [...sources] }),
      ...Object.fromEntries(
        Object.entries(change).flatMap(([name, value]) =>
          value === undefined ? [] : [[columnOf[name as keyof typeof columnOf], value]],
        ),
      ),
    };
    await sql`UPDATE smpp_clients SET ${sql(columns)} WHERE account_id = ${accountId} AND id = ${id}`;
    return this.one(accountId, id);
  }

  /** Removes a client with the receipts that wait for it. Returns whether the account had it. */
  async remove(accountId: number, id: number): Promise<boolean> {
    const { sql } = this.#deps;
    const { count } = await sql`DELETE FROM smpp_clients WHERE account_id = ${accountId} AND id = ${id}`;
    if (count === 0) return false;
    await sql`DELETE FROM smpp_deliveries WHERE account_id = ${accountId} AND client_id = ${id}`;
    await sql`DELETE FROM smpp_messages WHERE account_id = ${accountId} AND client_id = ${id} AND part_octets IS NULL`;
    await this.#cache.reload();
    return true;
  }

  /** Disables a client whose password cannot be decrypted. Returns its account. */
  static async discardPassword(tx: Queryable, id: number): Promise<number | undefined> {
    const [row] = await tx<{ account_id: number }[]>`
      UPDATE smpp_clients SET password = NULL, enabled = false WHERE id = ${id} RETURNING account_id`;
    return row?.account_id;
  }
}

/** Columns of the settings that can change as they are. */
const columnOf = {
  name: 'name',
  enabled: 'enabled',
  tlsRequired: 'tls_required',
  maxBinds: 'max_binds',
  messagesPerSecond: 'messages_per_second',
  window: 'send_window',
  defaultSource: 'default_source',
  defaultAlphabet: 'default_alphabet',
  international: 'international',
  incoming: 'incoming',
} as const;

const withoutPassword = ({ password: _, ...client }: StoredClient): SmppClient => client;

async function readClients(sql: Queryable): Promise<Known> {
  const clients = await sql<StoredClient[]>`
    SELECT account_id AS "accountId", id, system_id AS "systemId", password, name, enabled, addresses,
      tls_required AS "tlsRequired", max_binds AS "maxBinds", messages_per_second AS "messagesPerSecond",
      send_window AS "window", default_source AS "defaultSource", sources, default_alphabet AS "defaultAlphabet",
      international, incoming, created_at AS "createdAt"
    FROM smpp_clients ORDER BY id`;
  return {
    bySystemId: new Map(clients.map((client) => [client.systemId, client])),
    byId: new Map(clients.map((client) => [client.id, client])),
    byAccount: Map.groupBy(clients, ({ accountId }) => accountId),
  };
}

import { ZodError } from 'zod';
import { type Queryable, type TransactionSql, violatedConstraint } from '../../database/connection.ts';
import type { Context } from '../../kit/context.ts';
import { Refusal } from '../../kit/errors.ts';
import { tryHttpCarrier } from '../../protocols/http-carrier/trial.ts';
import { trySip } from '../../protocols/sip/trial.ts';
import { trySmpp } from '../../protocols/smpp/trial.ts';
import { keepSecret } from '../../secrets/destinations.ts';
import type { Trial } from '../carriers/trial.ts';
import { channelOf, httpOf, mergeHttp, secretNamesOf } from './http-connectors.ts';
import { type CarrierNetwork, sipOf, smppOf } from './network.ts';
import { forgetCursors } from './poll-cursors.ts';
import { retireCallRoutes } from './retired-routes.ts';
import { forgetState, PASSWORD_PURPOSE, type Protocol, type StoredConnector } from './stored.ts';
import { connectorsTables } from './tables.ts';

/** Settings as CARRIERS_FILE has them; null removes one, and what is left out stays. */
export type SettingsInput = Readonly<Record<string, unknown>>;

/** A connector as operators see it. Nothing shows its password. */
export interface ConnectorView {
  readonly name: string;
  readonly protocol: Protocol | 'smtp';
  readonly channel: 'sms' | 'voice' | 'mail';
  /** Whether it is of the configuration, where everything but its limit and whether it is enabled is changed. */
  readonly isConfigured: boolean;
  readonly isEnabled: boolean;
  /** Messages or calls a second, 0 without a limit; null: as its settings say. */
  readonly limit: number | null;
  /** Limit in its settings. */
  readonly settingsLimit: number;
  /** Every setting with its value, but the password; null: of a relay, and of a configured HTTP connector. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  /** Names of the secrets of an added HTTP connector. */
  readonly secretNames?: readonly string[];
  /** Secret in the path of the provider's requests, only after a change that replaced it. */
  readonly newPathSecret?: string | undefined;
  readonly hasPassword: boolean;
  /** Names of the routes that use it. */
  readonly routes: readonly string[];
}

/** A configured connector of another module, with its limit in a second by its settings. */
export interface OfferedConnector {
  readonly name: string;
  readonly protocol: 'http' | 'smtp';
  readonly channel: 'sms' | 'voice' | 'mail';
  readonly limit: number;
  readonly try: () => Promise<Trial>;
}

export interface ConnectorChanges {
  readonly isEnabled?: boolean | undefined;
  /** As `ConnectorView.limit`. */
  readonly limit?: number | null | undefined;
  readonly settings?: SettingsInput | undefined;
}

interface ConnectorsDeps extends Pick<Context, 'sql' | 'clock' | 'secrets'> {
  readonly network: CarrierNetwork;
  /** Permits HTTP connectors to private networks. */
  readonly allowPrivate: boolean;
}

const taken = (name: string) =>
  new Refusal('not-now', `there is a connector ${name} already`, 'name', {
    reason: 'connector-taken',
    params: { name },
  });
const isOfConfiguration = () =>
  new Refusal('not-now', 'part of the configuration; change it there', undefined, {
    reason: 'connector-configured',
    params: {},
  });

/** The connectors of the service: those of the configuration, and those that operators add. */
export class Connectors {
  readonly #deps: ConnectorsDeps;
  readonly #offered: OfferedConnector[] = [];

  constructor(deps: ConnectorsDeps) {
    this.#deps = deps;
  }

  /** Shows a configured connector of another module, so that it can be tried, limited and disabled. */
  offer(connector: OfferedConnector): void {
    this.#offered.push(connector);
  }

  /** Those of the configuration first. */
  list(): ConnectorView[] {
    const { configured, stored } = this.#deps.network;
    const configuredNames = new Set(this.#configuredNames);
    return [
      ...configured.connectors.map((one) => this.#view(one.name, 'smpp', true, one)),
      ...configured.trunks.map((one) => this.#view(one.name, 'sip', true, one)),
      ...this.#offered.map(({ name, protocol, channel, limit }) => ({
        ...this.#common(name),
        ...{ protocol, channel },
        isConfigured: true,
        settingsLimit: limit,
        settings: null,
        hasPassword: false,
      })),
      ...stored.connectors
        .filter(({ name, protocol }) => protocol !== null && !configuredNames.has(name))
        .map((row) =>
          row.protocol === 'http'
            ? this.#httpView(row)
            : this.#view(row.name, row.protocol!, false, runningOf(row)),
        ),
    ];
  }

  /** Undefined when there is none of this name. */
  find(wanted: string): ConnectorView | undefined {
    return this.list().find(({ name }) => name === wanted);
  }

  /**
   * Adds a connector, which carries what routes name it for. Throws Refusal `bad-field` with the path of the setting that
   * cannot be, and `not-now` for a name that there is.
   */
  async create(
    name: string,
    protocol: Protocol,
    { isEnabled = true, limit = null, settings = {} }: ConnectorChanges,
  ): Promise<ConnectorView> {
    if (this.#configuredNames.includes(name)) throw taken(name);
    const http = protocol === 'http' ? mergeHttp(name, undefined, settings) : undefined;
    const { password, rest } = http ? { password: http.sealed, rest: http.settings } : split({}, settings);
    if (!http) check({ name, protocol, settings: rest, password: password ?? null, isEnabled, limit });
    const { sql, clock } = this.#deps;
    await sql`
      INSERT INTO connectors (name, protocol, settings, password, is_enabled, send_limit, changed_at)
      VALUES (${name}, ${protocol}, ${JSON.stringify(rest)}::jsonb, ${this.#seal(name, password)}, ${isEnabled},
        ${limit}, ${clock.now()})`.catch((error: unknown) => {
      throw violatedConstraint(error) === 'connectors_pkey' ? taken(name) : error;
    });
    await this.#deps.network.reload();
    return { ...this.find(name)!, newPathSecret: http?.newPathSecret };
  }

  /**
   * Changes a connector. Another limit is in effect at once; other settings give it another session when what is in flight
   * is answered. Undefined when there is none of this name. Throws Refusal `bad-field` as `create`, and `not-now` for
   * settings of a configured one.
   */
  async change(name: string, changes: ConnectorChanges): Promise<ConnectorView | undefined> {
    const before = this.find(name);
    if (!before) return undefined;
    if (before.isConfigured && changes.settings !== undefined) throw isOfConfiguration();
    const { sql, clock } = this.#deps;
    const newPathSecret = await sql.begin(async (tx) => {
      if (before.isConfigured) {
        await tx`
          INSERT INTO connectors (name, is_enabled, send_limit, changed_at)
          VALUES (${name}, true, NULL, ${clock.now()}) ON CONFLICT (name) DO NOTHING`;
      }
      const row = await lockConnector(tx, name);
      if (!row) throw new Refusal('not-found', 'no such connector');
      const isEnabled = changes.isEnabled ?? row.is_enabled;
      const limit = changes.limit === undefined ? row.send_limit : changes.limit;
      await tx`
        UPDATE connectors SET is_enabled = ${isEnabled}, send_limit = ${limit}, changed_at = ${clock.now()}
        WHERE name = ${name}`;
      if (row.protocol === 'http') {
        // A connector that lost its secrets is not enabled without them.
        const isChecked = changes.settings !== undefined || changes.isEnabled === true;
        return isChecked ? this.#changeHttp(tx, name, row, changes.settings ?? {}) : undefined;
      }
      if (row.protocol && changes.settings) await this.#changeSettings(tx, name, row, changes.settings);
      return undefined;
    });
    await this.#deps.network.reload();
    const after = this.find(name);
    return after && { ...after, newPathSecret };
  }

  /**
   * Removes a connector that no route uses; what is in flight over it is waited for. What calls wait on it go to another
   * trunk, or wait for one. False when there is none of this name. Throws Refusal `not-now` for one that routes use, and for
   * one of the configuration.
   */
  async remove(name: string): Promise<boolean> {
    const { sql, clock, network } = this.#deps;
    if (this.#configuredNames.includes(name)) throw isOfConfiguration();
    const isRemoved = await sql.begin(async (tx) => {
      const row = await lockConnector(tx, name);
      if (!row) return false;
      const using = await tx<{ name: string }[]>`
        SELECT name FROM routing_rules WHERE connectors @> ${JSON.stringify([{ connector: name }])}::jsonb
        ORDER BY place`;
      if (using.length > 0) {
        const routes = using.map((route) => route.name).join(', ');
        throw new Refusal('not-now', `routes use it: ${routes}`, undefined, {
          reason: 'connector-in-use',
          params: { routes },
        });
      }
      await retireCallRoutes(tx, row, clock.now());
      await tx`DELETE FROM connectors WHERE name = ${name}`;
      await forgetCursors(tx, name);
      await forgetState(tx, name);
      return true;
    });
    await network.reload();
    return isRemoved;
  }

  /**
   * Makes a connection beside those that carry messages and tells what was answered. Undefined when there is no connector
   * of this name.
   */
  async try(wanted: string): Promise<Trial | undefined> {
    const { configured, stored } = this.#deps.network;
    const is = ({ name }: { readonly name: string }) => name === wanted;
    const row = stored.connectors.find((one) => is(one) && one.protocol !== null);
    const smpp = configured.connectors.find(is) ?? (row?.protocol === 'smpp' ? smppOf(row) : undefined);
    const sip = configured.trunks.find(is) ?? (row?.protocol === 'sip' ? sipOf(row) : undefined);
    if (smpp) return trySmpp(smpp);
    if (row?.protocol === 'http') {
      const http = httpOf(row);
      if (!http)
        throw new Refusal('not-now', 'its secrets are missing; set them first', undefined, {
          reason: 'secrets-missing',
        });
      return tryHttpCarrier(http, this.#deps.allowPrivate);
    }
    return sip ? trySip(sip) : this.#offered.find(is)?.try();
  }

  async #changeSettings(
    tx: TransactionSql,
    name: string,
    row: ConnectorRow,
    given: SettingsInput,
  ): Promise<void> {
    const before = row.settings ?? {};
    const { password, rest } = split(before, given);
    // Of the password only whether it may be one: what is stored was.
    check({
      name,
      protocol: row.protocol,
      settings: rest,
      password: password ?? null,
      isEnabled: true,
      limit: null,
    });
    const stored = { name, protocol: row.protocol, password: null, isEnabled: true, limit: null };
    keepSecret({
      column: connectorsTables.connectors.sealed.password,
      before: runningOf({ ...stored, settings: before }),
      after: runningOf({ ...stored, settings: rest }),
      isKept: row.password !== null && password === undefined,
      field: 'password',
    });
    await tx`UPDATE connectors SET settings = ${JSON.stringify(rest)}::jsonb WHERE name = ${name}`;
    if (password !== undefined)
      await tx`UPDATE connectors SET password = ${this.#seal(name, password)} WHERE name = ${name}`;
    await retireCallRoutes(tx, row, this.#deps.clock.now());
  }

  /** Changes an HTTP connector, and returns the secret of its path if that is new. */
  async #changeHttp(
    tx: TransactionSql,
    name: string,
    row: ConnectorRow,
    given: SettingsInput,
  ): Promise<string | undefined> {
    const { secrets } = this.#deps;
    const password = row.password && secrets.openText(row.password, PASSWORD_PURPOSE, name);
    const change = mergeHttp(name, { settings: row.settings, password }, given);
    await tx`
      UPDATE connectors SET settings = ${JSON.stringify(change.settings)}::jsonb, password = ${this.#seal(name, change.sealed)}
      WHERE name = ${name}`;
    await retireCallRoutes(tx, row, this.#deps.clock.now());
    return change.newPathSecret;
  }

  #seal(name: string, password: string | null | undefined): Buffer | null {
    return password ? this.#deps.secrets.seal(password, PASSWORD_PURPOSE, name) : null;
  }

  get #configuredNames(): string[] {
    const { connectors, http, trunks } = this.#deps.network.configured;
    return [...connectors, ...http, ...trunks, ...this.#offered].map(({ name }) => name);
  }

  #view(name: string, protocol: Protocol, isConfigured: boolean, running: RunningSettings): ConnectorView {
    const { password, messagesPerSecond, callsPerSecond, ...settings } = running;
    return {
      ...this.#common(name),
      protocol,
      channel: protocol === 'sip' ? 'voice' : 'sms',
      isConfigured,
      settingsLimit: messagesPerSecond ?? callsPerSecond ?? 0,
      settings,
      hasPassword: password !== '',
    };
  }

  #httpView(row: StoredConnector): ConnectorView {
    return {
      ...this.#common(row.name),
      protocol: 'http',
      channel: channelOf(row.settings) ?? 'sms',
      isConfigured: false,
      settingsLimit: 0,
      settings: row.settings,
      hasPassword: row.password !== null,
      secretNames: secretNamesOf(row),
    };
  }

  #common(name: string) {
    const { network } = this.#deps;
    const { configured, stored } = network;
    const ofConfiguration = configured.routes.filter(({ connectors }) => connectors.includes(name));
    const added = stored.routes.filter(({ connectors }) =>
      connectors.some(({ connector }) => connector === name),
    );
    return {
      name,
      isEnabled: network.isEnabled(name),
      limit: network.limitOf(name),
      routes: [...ofConfiguration, ...added].map((route) => route.name),
    };
  }
}

type RunningSettings = Readonly<Record<string, unknown>> & {
  readonly password: string;
  readonly messagesPerSecond?: number;
  readonly callsPerSecond?: number;
};

interface ConnectorRow {
  readonly protocol: Protocol | null;
  readonly settings: SettingsInput | null;
  readonly is_enabled: boolean;
  readonly send_limit: number | null;
  /** Sealed. */
  readonly password: Buffer | null;
}

async function lockConnector(tx: TransactionSql, name: string): Promise<ConnectorRow | undefined> {
  const [row] = await tx<ConnectorRow[]>`
    SELECT protocol, settings, is_enabled, send_limit, password FROM connectors WHERE name = ${name} FOR UPDATE`;
  return row;
}

/** Takes away a password that cannot be opened any more, and disables its connector. */
export async function discardConnectorPassword(tx: Queryable, name: string): Promise<void> {
  await tx`UPDATE connectors SET password = NULL, is_enabled = false WHERE name = ${name}`;
}

/** Settings with changes, and the password apart: undefined when it stays, null when it goes. */
function split(before: SettingsInput, { password, ...given }: SettingsInput) {
  const merged = Object.entries({ ...before, ...given });
  return {
    password: password as string | null | undefined,
    rest: Object.fromEntries(merged.filter(([, value]) => value !== null && value !== undefined)),
  };
}

const runningOf = (row: StoredConnector): RunningSettings =>
  row.protocol === 'sip' ? sipOf(row) : smppOf(row);

/** Throws Refusal `bad-field` with the path of the first setting that cannot be. */
function check(row: StoredConnector): void {
  try {
    runningOf(row);
  } catch (error) {
    if (!(error instanceof ZodError)) throw error;
    const { path, message, code, input } = error.issues[0]!;
    const isMissing = code === 'invalid_type' && input === undefined;
    const detail = { reason: isMissing ? 'missing' : 'wrong-format' } as const;
    throw new Refusal('bad-field', isMissing ? 'missing' : message, path.join('.'), detail);
  }
}

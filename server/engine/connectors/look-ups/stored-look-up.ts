import type { ConnectorFault } from '../../../kit/connector-faults.ts';
import type { Context } from '../../../kit/context.ts';
import { type LookUpSettings, lookUpSettings } from '../../../protocols/http-carrier/look-up-settings.ts';
import { keepSecret } from '../../../secrets/destinations.ts';
import { originsOf, refusalOf } from '../http-connectors.ts';
import type { CarrierNetwork } from '../network.ts';
import { LOOK_UP_ID, type StoredLookUp, sealLookUp } from '../stored.ts';
import { connectorsTables } from '../tables.ts';
import { dayOf } from './day-budget.ts';

/** Settings of a look-up, as operators give them: those with a default may be absent, and secrets that stay. */
export interface LookUpInput {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>> | undefined;
  readonly isEnabled: boolean;
}

/** The look-up as operators see it. */
export interface LookUpView {
  /** All settings but the secrets. The description is the one of the request: a name or an object. */
  readonly settings: Omit<LookUpSettings, 'secrets' | 'description'> & { readonly description: unknown };
  readonly secretNames: readonly string[];
  readonly isEnabled: boolean;
  /** Requests of today (UTC), of which up to 50 of a process are not made yet. */
  readonly usedToday: number;
  /** Null: the last request did not fail. */
  readonly fault: ConnectorFault | null;
}

interface StoredLookUpsDeps extends Pick<Context, 'sql' | 'clock' | 'secrets'> {
  readonly network: CarrierNetwork;
}

/** The look-up of networks of numbers that operators set. */
export class LookUps {
  readonly #deps: StoredLookUpsDeps;

  constructor(deps: StoredLookUpsDeps) {
    this.#deps = deps;
  }

  /** Returns the look-up; undefined without one. */
  async find(): Promise<LookUpView | undefined> {
    const stored = this.#deps.network.stored.lookUp;
    if (!stored) return undefined;
    const { sql, clock } = this.#deps;
    const day = dayOf(clock.now());
    const [row] = await sql<{ used: number; fault: ConnectorFault | null }[]>`
      SELECT CASE WHEN used_day = ${day} THEN used ELSE 0 END AS used, fault FROM number_look_ups
      WHERE id = ${LOOK_UP_ID}`;
    return viewOf(stored, row?.used ?? 0, row?.fault ?? null);
  }

  /**
   * Sets the look-up. Without secrets, the stored ones stay while they are sent to the same address. Throws Refusal `bad-field` with
   * the path of the first invalid setting, and for secrets that the request must repeat.
   */
  async set({ settings, secrets: given, isEnabled }: LookUpInput): Promise<void> {
    const { sql, clock, secrets: box, network } = this.#deps;
    await network.reload();
    const before = network.stored.lookUp;
    const secrets = given ?? before?.secrets ?? {};
    const read = lookUpSettings.safeParse({ ...settings, secrets });
    if (!read.success) throw refusalOf(read.error);
    if (before) {
      const old = lookUpSettings.safeParse({ ...before.settings, secrets: before.secrets }).data;
      keepSecret({
        column: connectorsTables.number_look_ups.sealed.secrets,
        before: old ? originsOf(old) : {},
        after: originsOf(read.data),
        isKept: given === undefined && Object.keys(secrets).length > 0,
        field: 'secrets',
      });
    }
    await sql`
      INSERT INTO number_look_ups (id, settings, secrets, is_enabled, changed_at)
      VALUES (${LOOK_UP_ID}, ${JSON.stringify(settings)}::jsonb, ${sealLookUp(box, secrets)}, ${isEnabled},
        ${clock.now()})
      ON CONFLICT ON CONSTRAINT number_look_ups_pkey DO UPDATE SET settings = excluded.settings,
        secrets = excluded.secrets, is_enabled = excluded.is_enabled, changed_at = excluded.changed_at, fault = NULL`;
    await network.reload();
  }

  /** Removes the look-up. Its answers stay until their validity ends. */
  async remove(): Promise<void> {
    const { sql, network } = this.#deps;
    await sql`DELETE FROM number_look_ups WHERE id = ${LOOK_UP_ID}`;
    await network.reload();
  }
}

function viewOf(
  { settings, secrets, isEnabled }: StoredLookUp,
  usedToday: number,
  fault: ConnectorFault | null,
) {
  const { shape } = lookUpSettings;
  const withDefault = <K extends 'prefixes' | 'timeoutMs' | 'window' | 'keepDays' | 'perDay'>(name: K) =>
    shape[name].parse(settings[name]) as LookUpSettings[K];
  return {
    settings: {
      description: settings.description,
      prefixes: withDefault('prefixes'),
      timeoutMs: withDefault('timeoutMs'),
      window: withDefault('window'),
      keepDays: withDefault('keepDays'),
      perDay: withDefault('perDay'),
    },
    secretNames: Object.keys(secrets).toSorted(),
    ...{ isEnabled, usedToday, fault },
  };
}

import { createHash } from 'node:crypto';
import type { Queryable } from '../../database/connection.ts';
import { leaseClock } from '../../database/lease-clock.ts';
import { isFree } from '../../database/leases.ts';
import type { Context } from '../../kit/context.ts';
import { connectorColumn } from '../carriers/parts.ts';
import type { QualityRule } from '../carriers/route.ts';
import type { RouteConditions } from '../carriers/route-conditions.ts';

/* The tables of connectors and routes, as they are read. */

export const PASSWORD_PURPOSE = 'connectors.password';
const LOOK_UP_PURPOSE = 'number_look_ups.secrets';
/** Id of the only row of `number_look_ups`. */
export const LOOK_UP_ID = 1;

/** Protocols of connectors that operators add. */
export const protocols = ['smpp', 'sip', 'http'] as const;
export type Protocol = (typeof protocols)[number];

/** A row of `connectors`: one that was added, or what was changed of a configured one. */
export interface StoredConnector {
  readonly name: string;
  /** Null: of a configured one. */
  readonly protocol: Protocol | null;
  /** As CARRIERS_FILE would have them, without the password; null: of a configured one. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  /** Of an HTTP connector: its secrets as one JSON text. */
  readonly password: string | null;
  readonly isEnabled: boolean;
  /** Messages or calls a second, 0 without a limit; null: as configured. */
  readonly limit: number | null;
}

/** A connector of a route: of those with the lowest priority that are up each gets its share by weight. */
export interface RouteConnector {
  readonly connector: string;
  readonly priority: number;
  readonly weight: number;
  /** Price of a part that the carrier charges, in the currency of the installation; null: unknown. */
  readonly price?: number | null;
}

/** How a route orders its connectors that are up: by priority and weight, or the cheapest first. */
export const routeChoices = ['priority', 'cheapest'] as const;

/** How a route chooses among its connectors. */
export interface RouteChoice extends Partial<QualityRule> {
  readonly by: (typeof routeChoices)[number];
}

/** When messages of a stored route go over another connector, although theirs is up. */
export interface StoredLeave {
  /** Codes of carriers. */
  readonly codes: readonly string[];
  readonly throttledSeconds?: number;
  readonly silentSeconds?: number;
}

/** Conditions of a stored route. */
export interface StoredConditions extends RouteConditions {
  /** Of E.164 digits; '' is every number. */
  readonly prefixes: readonly string[];
}

/** A row of `routing_rules`. */
export interface StoredRoute {
  readonly id: number;
  readonly name: string;
  readonly title: string;
  readonly conditions: StoredConditions;
  readonly connectors: readonly RouteConnector[];
  readonly choice: RouteChoice;
  readonly leave: StoredLeave;
}

/** The row of `number_look_ups`. */
export interface StoredLookUp {
  /** Settings without the secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly isEnabled: boolean;
}

export interface StoredNetwork {
  readonly connectors: readonly StoredConnector[];
  /** In order. */
  readonly routes: readonly StoredRoute[];
  readonly retired: readonly string[];
  /** The look-up of networks of numbers, if there is one. */
  readonly lookUp?: StoredLookUp | undefined;
  /** Connectors that are the only one of a route, on which test messages wait (`ONLY_ROUTES`). */
  readonly only: readonly string[];
  /** Differs when anything else does. */
  readonly version: string;
}

/** Forgets how a removed connector stood, unless a process still has it. */
export async function forgetState(sql: Queryable, name: string): Promise<void> {
  await sql`
    DELETE FROM links WHERE ${connectorColumn(sql)} = ${name} AND ${isFree(sql, leaseClock.now())}
      AND NOT EXISTS (SELECT 1 FROM connectors c WHERE c.name = ${name})`;
}

/** Reads the stored connectors and routes. Throws SealedValueError, and what the database throws. */
export async function readNetwork({
  sql,
  secrets,
}: Pick<Context, 'sql' | 'secrets'>): Promise<StoredNetwork> {
  // One statement, so that no route is seen without its connectors.
  const [row] = await sql<
    {
      connectors: (Omit<StoredConnector, 'password'> & { readonly sealed: string | null })[];
      routes: StoredRoute[];
      retired: string[];
      lookUp: (Omit<StoredLookUp, 'secrets'> & { readonly sealed: string }) | null;
      only: string[];
    }[]
  >`
    SELECT
      (SELECT coalesce(json_agg(json_build_object('name', name, 'protocol', protocol, 'settings', settings,
        'sealed', encode(password, 'base64'), 'isEnabled', is_enabled, 'limit', send_limit) ORDER BY name), '[]')
        FROM connectors) AS connectors,
      (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'title', title, 'conditions', conditions,
        'connectors', connectors, 'choice', choice, 'leave', leave) ORDER BY place, id), '[]')
        FROM routing_rules) AS routes,
      (SELECT coalesce(json_agg(name ORDER BY name), '[]') FROM retired_routes) AS retired,
      (SELECT coalesce(json_agg(connector ORDER BY connector), '[]') FROM only_routes) AS only,
      (SELECT json_build_object('settings', settings, 'sealed', encode(secrets, 'base64'), 'isEnabled', is_enabled)
        FROM number_look_ups WHERE id = ${LOOK_UP_ID}) AS "lookUp"`;
  const { connectors, routes, retired, only, lookUp } = row!;
  return {
    connectors: connectors.map(({ sealed, ...connector }) => ({
      ...connector,
      password:
        sealed === null
          ? null
          : secrets.openText(Buffer.from(sealed, 'base64'), PASSWORD_PURPOSE, connector.name),
    })),
    routes,
    retired,
    lookUp: lookUp
      ? {
          settings: lookUp.settings,
          secrets: openLookUp(secrets, Buffer.from(lookUp.sealed, 'base64')),
          isEnabled: lookUp.isEnabled,
        }
      : undefined,
    only,
    version: createHash('sha256').update(JSON.stringify(row)).digest('base64'),
  };
}

/** Returns the secrets of the look-up, sealed as they are stored. */
export const sealLookUp = (box: Context['secrets'], secrets: Readonly<Record<string, string>>): Buffer =>
  box.seal(JSON.stringify(secrets), LOOK_UP_PURPOSE, String(LOOK_UP_ID));

/** Reads stored secrets of the look-up. Throws SealedValueError. */
export const openLookUp = (box: Context['secrets'], sealed: Buffer): Readonly<Record<string, string>> =>
  JSON.parse(box.openText(sealed, LOOK_UP_PURPOSE, String(LOOK_UP_ID))) as Record<string, string>;

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  type HttpCarrierSettings,
  httpCarrierSettings,
  httpTrunksOf,
  isForCalls,
} from '../../protocols/http-carrier/settings.ts';
import { type SipTrunkSettings, sipTrunkSettings } from '../../protocols/sip/settings.ts';
import { type SmppConnectorSettings, smppConnectorSettings } from '../../protocols/smpp/settings.ts';
import type { Route } from './route.ts';
import { CALL_ROUTES, type CallRoute, ONLY_ROUTES } from './routing.ts';

/** Connectors, trunks and routes from the settings. */
export interface CarrierConfiguration {
  readonly connectors: readonly SmppConnectorSettings[];
  /** Connectors to providers with an HTTP interface, those for calls too. */
  readonly http: readonly HttpCarrierSettings[];
  /** SIP trunks for calls. */
  readonly trunks: readonly SipTrunkSettings[];
  readonly routes: readonly Route[];
}

/** The configuration without any carrier. */
export const noCarriers: CarrierConfiguration = { connectors: [], http: [], trunks: [], routes: [] };

/** The configuration of the carriers is invalid; the message says where and why. */
export class CarrierConfigurationError extends Error {}

/** CARRIERS_FILE. Its `links` are SMPP connectors; the name stays for files that exist. Routes name them and those of `http`. */
const file = z.strictObject({
  links: z.array(smppConnectorSettings).default([]),
  http: z.array(httpCarrierSettings).default([]),
  trunks: z.array(sipTrunkSettings).default([]),
  routes: z
    .array(
      z.strictObject({
        name: z
          .string()
          .min(1)
          .max(40)
          .refine((name) => !name.startsWith(ONLY_ROUTES), `must not begin with ${ONLY_ROUTES}`),
        /** E.164 prefixes; '' matches every destination. */
        prefixes: z.array(z.string().regex(/^\d{0,15}$/, 'must be digits')).min(1),
        links: z.array(z.string()).min(1),
      }),
    )
    .optional(),
});

/**
 * Reads CARRIERS_FILE or SMPP_URL. Without routes, every destination uses all connectors in their order: the next one
 * when the previous one is down. Returns null when neither is set.
 *
 * @throws CarrierConfigurationError when the configuration is invalid
 */
export function readCarriers(settings: {
  CARRIERS_FILE?: string | undefined;
  SMPP_URL?: string | undefined;
}): CarrierConfiguration | null {
  if (settings.CARRIERS_FILE) return check(readFile(settings.CARRIERS_FILE), 'CARRIERS_FILE');
  if (settings.SMPP_URL) return check({ links: [fromUrl(settings.SMPP_URL)] }, 'SMPP_URL');
  return null;
}

/** Returns a configuration with one connector and one trunk that take every destination. */
export function singleConnector(
  connector: z.input<typeof smppConnectorSettings>,
  trunk: z.input<typeof sipTrunkSettings>,
): CarrierConfiguration {
  return check({ links: [connector], trunks: [trunk] }, connector.name);
}

/** Returns all trunks of a configuration: those over SIP first. */
export const trunksOf = ({ trunks, http }: Pick<CarrierConfiguration, 'trunks' | 'http'>) => [
  ...trunks,
  ...httpTrunksOf(http),
];

/**
 * Returns the routes of calls: one for each prefix, over the trunks that name it in their order, the next one when the
 * previous one is down.
 */
export function callRoutes(
  trunks: readonly Pick<SipTrunkSettings, 'name' | 'prefixes' | 'callerId'>[],
): CallRoute[] {
  const prefixes = new Set(trunks.flatMap((trunk) => trunk.prefixes));
  return [...prefixes].map((prefix) => {
    const mine = trunks.filter((trunk) => trunk.prefixes.includes(prefix));
    return {
      name: CALL_ROUTES + prefix,
      prefixes: [prefix],
      connectors: mine.map(({ name }) => name),
      callerId: mine[0]!.callerId.replace(/\D/g, ''),
    };
  });
}

function readFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CarrierConfigurationError(`CARRIERS_FILE cannot be read: ${(error as Error).message}`);
  }
}

/**
 * Parses `smpp://systemId:password@host:port?window=100`. Numbers and booleans in the query become numbers and
 * booleans.
 */
function fromUrl(address: string): Record<string, unknown> {
  const url = new URL(address);
  const options = [...url.searchParams].map(([key, value]): [string, unknown] => {
    if (value === 'true' || value === 'false') return [key, value === 'true'];
    return [key, /^\d+(\.\d+)?$/.test(value) ? Number(value) : value];
  });
  return {
    name: 'smpp',
    host: url.hostname,
    ...(url.port && { port: Number(url.port) }),
    systemId: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    tls: url.protocol === 'smpps:',
    ...Object.fromEntries(options),
  };
}

function check(given: unknown, setting: string): CarrierConfiguration {
  const read = file.safeParse(given);
  if (!read.success) {
    const { path, message } = read.error.issues[0]!;
    throw new CarrierConfigurationError(`${setting}: ${path.join('.')}: ${message}`);
  }
  const { links: connectors, http, trunks } = read.data;
  const all = [...connectors, ...http, ...trunks].map(({ name }) => name);
  if (all.length === 0)
    throw new CarrierConfigurationError(`${setting}: neither an SMPP or HTTP connector nor a trunk`);
  const forSms = http.filter((one) => !isForCalls(one));
  const names = new Set([...connectors, ...forSms].map(({ name }) => name));
  if (new Set(all).size < all.length)
    throw new CarrierConfigurationError(`${setting}: two connectors have the same name`);
  const routes: readonly Route[] = read.data.routes?.map(({ links, ...route }) => ({
    ...route,
    connectors: links,
  })) ?? [{ name: 'default', prefixes: [''], connectors: [...names] }];
  for (const route of routes) {
    const unknown = route.connectors.find((name) => !names.has(name));
    if (unknown)
      throw new CarrierConfigurationError(`${setting}: route ${route.name} names no connector "${unknown}"`);
  }
  return { connectors, http, trunks, routes };
}

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Route } from './routing.ts';
import { type SmppLinkSettings, smppLinkSettings } from './smpp/settings.ts';

/** Links and routes, from the settings. */
export interface CarrierConfiguration {
  readonly links: readonly SmppLinkSettings[];
  readonly routes: readonly Route[];
}

/** The carriers' configuration cannot be used; the message says where and why. */
export class CarrierConfigurationError extends Error {}

const file = z.strictObject({
  links: z.array(smppLinkSettings).min(1),
  routes: z
    .array(
      z.strictObject({
        name: z.string().min(1).max(40),
        /** E.164 prefixes; '' is every destination. */
        prefixes: z.array(z.string().regex(/^\d{0,15}$/, 'must be digits')).min(1),
        links: z.array(z.string()).min(1),
      }),
    )
    .optional(),
});

/**
 * Reads CARRIERS_FILE or SMPP_URL. Without routes, every destination goes over all links in their order, the next one
 * when the one before is down. Returns null when neither is set. Throws CarrierConfigurationError.
 */
export function readCarriers(settings: {
  CARRIERS_FILE?: string | undefined;
  SMPP_URL?: string | undefined;
}): CarrierConfiguration | null {
  if (settings.CARRIERS_FILE) return check(readFile(settings.CARRIERS_FILE), 'CARRIERS_FILE');
  if (settings.SMPP_URL) return check({ links: [fromUrl(settings.SMPP_URL)] }, 'SMPP_URL');
  return null;
}

/** One link that takes every destination. */
export function singleLink(link: z.input<typeof smppLinkSettings>): CarrierConfiguration {
  return check({ links: [link] }, link.name);
}

function readFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new CarrierConfigurationError(`CARRIERS_FILE cannot be read: ${(error as Error).message}`);
  }
}

/** `smpp://systemId:password@host:port?window=100`: numbers and booleans in the query are read as such. */
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
  const { links } = read.data;
  const names = new Set(links.map((link) => link.name));
  if (names.size < links.length)
    throw new CarrierConfigurationError(`${setting}: two links have the same name`);
  const routes = read.data.routes ?? [{ name: 'default', prefixes: [''], links: [...names] }];
  for (const route of routes) {
    const unknown = route.links.find((link) => !names.has(link));
    if (unknown)
      throw new CarrierConfigurationError(`${setting}: route ${route.name} names no link "${unknown}"`);
  }
  return { links, routes };
}

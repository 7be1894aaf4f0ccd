import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { badField } from '../../kit/errors.ts';
import { requestsOfPolls } from '../../protocols/http-carrier/poll-settings.ts';
import { splitUrl } from '../../protocols/http-carrier/request.ts';
import {
  carrierDescription,
  type DescribedRequests,
  type HttpCarrierSettings,
  httpCarrierSettings,
} from '../../protocols/http-carrier/settings.ts';
import { keepSecret } from '../../secrets/destinations.ts';
import type { SettingsInput } from './connectors.ts';
import type { StoredConnector } from './stored.ts';
import { connectorsTables } from './tables.ts';

/* HTTP connectors that operators add: their secrets are sealed together, as one JSON text in the column of the password. */

/** Bytes of a generated secret of the path. */
const PATH_SECRET_BYTES = 24;

/** Settings of an HTTP connector that nothing returns. */
interface HttpSecrets {
  readonly secrets: Readonly<Record<string, string>>;
  readonly pathSecret?: string;
}

/** Changed settings of an HTTP connector, as they are stored. */
interface HttpChange {
  readonly settings: SettingsInput;
  /** Text to seal. */
  readonly sealed: string;
  /** Secret of the path, if the change replaces it. */
  readonly newPathSecret: string | undefined;
}

const secretsOf = (sealed: string | null): HttpSecrets =>
  sealed === null ? { secrets: {} } : (JSON.parse(sealed) as HttpSecrets);

const read = ({ name, settings, password }: Pick<StoredConnector, 'name' | 'settings' | 'password'>) =>
  httpCarrierSettings.safeParse({ ...settings, ...secretsOf(password), name });

/**
 * Returns the settings of an added HTTP connector, as it runs. Undefined when its secrets were lost, or when a ready description
 * needs others since an update: such a connector does not run until an operator sets them, and the others do.
 */
export const httpOf = (row: StoredConnector): HttpCarrierSettings | undefined => read(row).data;

/** Returns the channel of the stored settings of an HTTP connector; undefined for a description that is no longer valid. */
export const channelOf = (settings: SettingsInput | null): 'sms' | 'voice' | undefined =>
  carrierDescription.safeParse(settings?.description).data?.channel;

/** Returns the prefixes that an HTTP connector for calls serves; none for SMS. */
export const prefixesOf = (settings: SettingsInput | null): readonly string[] =>
  settings?.callerId === undefined ? [] : ((settings.prefixes ?? ['']) as readonly string[]);

/** Names of the secrets that are set. */
export const secretNamesOf = ({ password }: StoredConnector): string[] =>
  Object.keys(secretsOf(password).secrets).toSorted();

/** Returns the addresses to which a connector or a look-up sends its secrets. */
export function originsOf({
  description,
  secrets,
}: {
  readonly description: DescribedRequests;
  readonly secrets: HttpCarrierSettings['secrets'];
}): { readonly origins: string[] } {
  const { url, auth } = description.send;
  const polls = requestsOfPolls(description.poll).map((poll) => poll.url);
  const urls = [url, ...(auth && 'oauth' in auth ? [auth.oauth.url] : []), ...polls];
  return { origins: urls.map((one) => splitUrl(one, secrets).origin) };
}

/**
 * Merges a change into the settings of an HTTP connector. Secrets that the change does not name stay, while the description uses
 * them. Throws Refusal `bad-field` with the path of the first invalid setting, and for a stored secret that would go to another
 * address.
 *
 * @param before undefined for a new connector
 */
export function mergeHttp(
  name: string,
  before: Pick<StoredConnector, 'settings' | 'password'> | undefined,
  { secrets: given = {}, pathSecret, ...changes }: SettingsInput,
): HttpChange {
  const known = secretsOf(before?.password ?? null);
  const settings = withoutNulls({ ...before?.settings, ...changes });
  const newSecrets = given as Readonly<Record<string, string | null>>;
  const secrets = withoutNulls({ ...known.secrets, ...newSecrets }) as Record<string, string>;
  const newPathSecret =
    typeof pathSecret === 'string'
      ? pathSecret
      : pathSecret === null || known.pathSecret === undefined
        ? randomBytes(PATH_SECRET_BYTES).toString('base64url')
        : undefined;
  const path = newPathSecret ?? known.pathSecret;
  const unused = Object.keys(known.secrets).filter((one) => !Object.hasOwn(newSecrets, one));
  const after = readUsed(
    name,
    settings,
    { secrets, ...(path !== undefined && { pathSecret: path }) },
    unused,
  );
  if (before) {
    const channel = channelOf(before.settings);
    // Routes of SMS name connectors, and calls wait on the prefixes of trunks.
    if (channel && channel !== after.description.channel)
      throw badField(
        'description',
        `must be of the channel ${channel}; add another connector`,
        'wrong-format',
      );
    const old = read({ name, ...before }).data;
    const column = connectorsTables.connectors.sealed.password;
    // If the stored settings are invalid, the address of the secrets is unknown.
    const moved = { column, before: old ? originsOf(old) : {}, after: originsOf(after) };
    const isKept = Object.keys(after.secrets).some((one) => typeof newSecrets[one] !== 'string');
    keepSecret({ ...moved, isKept, field: 'secrets' });
    keepSecret({ ...moved, isKept: newPathSecret === undefined, field: 'pathSecret' });
  }
  const sealed = { secrets: after.secrets, pathSecret: path } satisfies HttpSecrets;
  return { settings, sealed: JSON.stringify(sealed), newPathSecret };
}

/** Reads the settings, and drops stored secrets that the description no longer uses. */
function readUsed(
  name: string,
  settings: SettingsInput,
  { secrets, pathSecret }: HttpSecrets,
  stored: readonly string[],
): HttpCarrierSettings {
  const parse = (some: Readonly<Record<string, string>>) =>
    httpCarrierSettings.safeParse({ ...settings, name, secrets: some, pathSecret });
  const first = parse(secrets);
  if (first.success) return first.data;
  const unused = first.error.issues
    .filter(({ message }) => message === 'is not used by the description')
    .map(({ path }) => String(path[1]))
    .filter((one) => stored.includes(one));
  const rest = Object.fromEntries(Object.entries(secrets).filter(([one]) => !unused.includes(one)));
  const second = unused.length === 0 ? first : parse(rest);
  if (second.success) return second.data;
  throw refusalOf(second.error);
}

/** Returns the refusal for the first problem of settings, with a path like `description.answer.rules[0].when.at`. */
export function refusalOf({ issues }: z.ZodError): Error {
  const { path, message, code, input } = issues[0]!;
  const isMissing = (code === 'invalid_type' && input === undefined) || message.startsWith('is missing');
  const field = path.reduce<string>(
    (all, step) => all + (typeof step === 'number' ? `[${step}]` : `${all === '' ? '' : '.'}${String(step)}`),
    '',
  );
  return badField(field, message, isMissing ? 'missing' : 'wrong-format');
}

const withoutNulls = (given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined));

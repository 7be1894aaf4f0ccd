import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import { field, listOf, text, textUpTo, whole } from '../../../api/v1/kit/fields.ts';
import { serializer } from '../../../api/v1/kit/serializer.ts';
import type { ConnectorView } from '../connectors.ts';
import { prefixesOf } from '../http-connectors.ts';

/* HTTP connectors in requests and responses of /v1: the settings of docs/http-carriers.md, in snake case. */

const MAX_SECRET = 4_000;
const MAX_ADDRESSES = 100;
const MAX_PREFIXES = 1_000;
const DEFAULT_WINDOW = 50;
const DEFAULT_TIMEOUT_MS = 30_000;

const document = z.record(z.string(), z.unknown(), 'must be an object');
const descriptionMeaning =
  'Description of the interface: the name of a ready one, or an object (docs/http-carriers.md).';
const prefixMeaning = 'Prefixes of the numbers that are called over it.';
const signatureMeaning = 'Signature of the requests of the provider, in place of that of the description.';

/** A description in a body: its fields are read by the code of CARRIERS_FILE. */
export const descriptionInput = z.union(
  [textUpTo(40), document],
  'must be an object or the name of a ready description',
);
/** Values of secrets in a body. */
export const secretsInput = z.record(z.string(), textUpTo(MAX_SECRET), 'must be an object');

/** Settings of an HTTP connector in a body. */
export const httpInput = z.object({
  description: field(
    descriptionInput.optional(),
    `${descriptionMeaning} Required for a new connector.`,
    'twilio',
  ),
  secrets: field(
    z.record(z.string(), textUpTo(MAX_SECRET).nullable(), 'must be an object').optional(),
    'Values of the secrets of the description, by name, stored encrypted and never returned. Others keep their values; null removes one. All are required when the address of the provider changes.',
    { account: 'AC0123456789', token: 'secret12' },
  ),
  path_secret: field(
    textUpTo(128).nullable().optional(),
    'Secret in the path of requests of the provider, 24 to 128 letters, digits, `-`, `_`. Null: the service generates another one. A new connector gets one. Required when the address of the provider changes.',
    null,
  ),
  signature: field(document.nullable().optional(), `${signatureMeaning} Null: that one.`, null),
  addresses: field(
    listOf(textUpTo(50), MAX_ADDRESSES).nullable().optional(),
    'Networks from which requests of the provider are accepted. Null: every address.',
    null,
  ),
  prefixes: field(
    listOf(text.regex(/^\d{0,15}$/, 'must be digits'), MAX_PREFIXES)
      .min(1)
      .nullable()
      .optional(),
    `${prefixMeaning} Only for a description of calls. Null: every number.`,
    null,
  ),
  caller_id: field(
    textUpTo(16).nullable().optional(),
    'Caller number, 3 to 15 digits, with or without `+`. Only for a description of calls, and required for it.',
    null,
  ),
  window: field(
    whole(1, 1_000).optional(),
    `Maximum number of messages without a stored outcome, and of connections; default ${DEFAULT_WINDOW}.`,
    DEFAULT_WINDOW,
  ),
  timeout_ms: field(
    whole(100, 600_000).optional(),
    `Timeout of a request with its whole answer in milliseconds; default ${DEFAULT_TIMEOUT_MS}.`,
    DEFAULT_TIMEOUT_MS,
  ),
});

const addressMeaning = (kind: string) =>
  `Address for ${kind}, with the secret of its path. Returned only by the request that sets this secret; otherwise null.`;

/** Settings of an HTTP connector in a response. */
export const httpAnswer = z.object({
  description: answered(
    z.union([z.string(), z.record(z.string(), z.unknown())]),
    descriptionMeaning,
    'twilio',
  ),
  secret_names: out.texts('Names of the secrets that are set.', ['account', 'token']),
  signature: answered(
    z.record(z.string(), z.unknown()).nullable(),
    `${signatureMeaning} Null: that one.`,
    null,
  ),
  addresses: answered(
    z.array(z.string()).nullable(),
    'Networks from which requests of the provider are accepted; null: every address.',
    null,
  ),
  prefixes: out.texts(`${prefixMeaning} None for SMS; an empty one matches every number.`, []),
  caller_id: out.maybeText('Caller number of its calls; null for SMS.', null),
  window: out.count(
    'Maximum number of messages without a stored outcome, and of connections.',
    DEFAULT_WINDOW,
  ),
  timeout_ms: out.count('Timeout of a request with its whole answer in milliseconds.', DEFAULT_TIMEOUT_MS),
  reports_url: out.maybeText(
    addressMeaning('delivery reports'),
    'https://sms.example/carrier-requests/provider/k3Jx9vQm2Lr8Ws5Tz7Yp1Bn4/reports',
  ),
  incoming_url: out.maybeText(
    `${addressMeaning('incoming messages')} Always null for calls.`,
    'https://sms.example/carrier-requests/provider/k3Jx9vQm2Lr8Ws5Tz7Yp1Bn4/incoming',
  ),
});
const show = serializer(httpAnswer);

/** Formats the settings of an HTTP connector. `requestsUrl` is the address for the provider, if its secret is new. */
export function showHttp(
  { settings, secretNames = [] }: ConnectorView,
  requestsUrl: string | undefined,
): z.output<typeof httpAnswer> | null {
  if (!settings) return null;
  const { description, signature, addresses, callerId, window, timeoutMs } = settings as {
    readonly description: string | Record<string, unknown>;
    readonly signature?: Record<string, unknown>;
    readonly addresses?: string[];
    readonly callerId?: string;
    readonly window?: number;
    readonly timeoutMs?: number;
  };
  const address = (kind: string) => (requestsUrl === undefined ? null : `${requestsUrl}/${kind}`);
  return show({
    ...{ description, secretNames, signature: signature ?? null, addresses: addresses ?? null },
    ...{ prefixes: [...prefixesOf(settings)], callerId: callerId ?? null },
    ...{ window: window ?? DEFAULT_WINDOW, timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS },
    ...{ reportsUrl: address('reports'), incomingUrl: callerId === undefined ? address('incoming') : null },
  });
}

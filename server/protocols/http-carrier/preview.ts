import type { HttpMessage } from './call.ts';
import type { HttpDescription } from './description.ts';
import { type PollKind, pollKinds } from './poll-settings.ts';
import { compilePoll } from './poller.ts';
import { type CarrierRequest, compileRequest } from './request.ts';
import { compileSigner } from './send-signature.ts';
import { CARRIER_REQUESTS_PATH, usesOf } from './settings.ts';
import { valuesOf } from './values.ts';

/** Text in place of every secret of a shown request. Addresses, forms and JSON contain it unescaped. */
export const SECRET_MASK = '***';

/** A request as it would be sent, with masked secrets. */
export interface RequestPreview {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: string | null;
}

interface PreviewContext {
  /** Name of the connector, for the address of reports. */
  readonly name: string;
  readonly publicUrl: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Returns the request that a description makes of a message, or of several if it has a batch. It is written with the mask in place of
 * each secret, so no encoding of a secret can be in it, and signatures are masked too.
 *
 * @throws DescriptionError when a text of the message cannot be a header, or a masked address is invalid
 */
export async function previewRequest(
  description: HttpDescription,
  messages: readonly HttpMessage[],
  { name, publicUrl, now }: PreviewContext,
): Promise<RequestPreview> {
  const origin = `${publicUrl}${CARRIER_REQUESTS_PATH}/${name}/${SECRET_MASK}`;
  const secrets = maskedSecrets(description);
  const request = compileRequest(description, secrets)(
    messages.map((message) => valuesOf(message, { secrets, origin, now })),
    maskedAuthorization(description),
  );
  return shown(description, request, now);
}

/**
 * Returns the requests that ask the provider for reports and incoming messages, before anything was read.
 *
 * @throws DescriptionError when a masked address is invalid
 */
export async function previewPolls(
  description: HttpDescription,
  now: number,
): Promise<(RequestPreview & { readonly kind: PollKind })[]> {
  const secrets = maskedSecrets(description);
  const made = pollKinds.map(async (kind) => {
    const poll = description.poll?.[kind];
    if (!poll) return [];
    const write = compilePoll(poll, secrets, description.send.auth);
    const request = write({ cursor: poll.cursor?.first ?? '' }, maskedAuthorization(description));
    return [{ kind, ...(await shown(description, request, now)) }];
  });
  return (await Promise.all(made)).flat();
}

function maskedSecrets(description: HttpDescription): Record<string, string> {
  const { needed } = usesOf(description, undefined);
  return Object.fromEntries([...needed].map((one) => [one, SECRET_MASK]));
}

/** The credentials of Basic authentication would hide the mask, and a token of OAuth needs a request. */
function maskedAuthorization({ send: { auth } }: HttpDescription): string | undefined {
  if (!auth || 'bearer' in auth) return undefined;
  return `${'basic' in auth ? 'Basic' : 'Bearer'} ${SECRET_MASK}`;
}

async function shown(
  description: HttpDescription,
  unsigned: CarrierRequest,
  now: number,
): Promise<RequestPreview> {
  const sign = compileSigner(description, maskedSecrets(description), { mask: SECRET_MASK });
  const { method, origin, path, headers, body } = sign ? await sign(unsigned, now) : unsigned;
  return {
    ...{ method, body, url: origin + path },
    headers: headers.flatMap((value, at) => (at % 2 === 0 ? [{ name: value, value: headers[at + 1]! }] : [])),
  };
}

import type { OutgoingMessage } from '../../engine/carriers/carrier.ts';
import type { HttpDescription } from './description.ts';
import { compileRequest } from './request.ts';
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

/**
 * Returns the request that a description makes of a message. It is written with the mask in place of each secret, so no encoding
 * of a secret can be in it. `name` is that of the connector, for the address of reports.
 *
 * @throws DescriptionError when a text of the message cannot be a header, or a masked address is invalid
 */
export function previewRequest(
  description: HttpDescription,
  message: OutgoingMessage<string>,
  { name, publicUrl, now }: { readonly name: string; readonly publicUrl: string; readonly now: number },
): RequestPreview {
  const origin = `${publicUrl}${CARRIER_REQUESTS_PATH}/${name}/${SECRET_MASK}`;
  const names = usesOf(description, undefined).needed;
  const secrets = Object.fromEntries([...names].map((one) => [one, SECRET_MASK]));
  const { auth } = description.send;
  // The credentials of Basic authentication would hide the mask, and a token of OAuth needs a request.
  const authorization = auth && (('basic' in auth && 'Basic') || ('oauth' in auth && 'Bearer'));
  const request = compileRequest(description, secrets)(
    valuesOf(message, { secrets, origin, now }),
    authorization ? `${authorization} ${SECRET_MASK}` : undefined,
  );
  const { method, path, headers, body } = request;
  return {
    ...{ method, body, url: request.origin + path },
    headers: headers.flatMap((value, at) => (at % 2 === 0 ? [{ name: value, value: headers[at + 1]! }] : [])),
  };
}

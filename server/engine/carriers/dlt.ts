/**
 * Ids of India's DLT platforms, where senders and templates are registered. Carriers refuse messages to Indian numbers
 * without them.
 */
export interface DltIds {
  /** Id of the business ("principal entity"). */
  readonly entity?: string;
  /** Id of the template of the text. */
  readonly template?: string;
}

/** DLT ids of a send. An id that the request names counts before that of the account for the sender. */
export interface DltOptions extends DltIds {
  readonly senders?: Readonly<Record<string, DltIds>>;
}

/** Returns the DLT ids of a message; an id that it does not have is an empty string. */
export function dltOf({
  source,
  options,
}: {
  readonly source: string;
  readonly options?: { readonly dlt?: DltOptions };
}): Required<DltIds> {
  const { dlt = {} } = options ?? {};
  const { senders = {} } = dlt;
  const own: DltIds = Object.hasOwn(senders, source) ? senders[source]! : {};
  return { entity: dlt.entity ?? own.entity ?? '', template: dlt.template ?? own.template ?? '' };
}

/** Form of an id. Ids in use have 19 digits. */
export const DLT_ID = /^\d{1,30}$/;

/** Tags of the optional parameters of `submit_sm` in which programs and carriers in India have the ids. */
const tags = { entity: 0x1400, template: 0x1401 } as const;

/** An optional parameter that should have an id has something else. */
export class DltIdError extends Error {}

/**
 * Returns the DLT ids in optional parameters, with or without a NUL at their end; undefined without any.
 *
 * @throws DltIdError for a value that is not up to 30 digits
 */
export function dltOfParameters(
  parameters: readonly { readonly tag: number; readonly value: Uint8Array }[],
): DltIds | undefined {
  const idOf = (tag: number) => {
    const { value } = parameters.find((one) => one.tag === tag) ?? {};
    const text = value && Buffer.from(value).toString('latin1').replace(/\0$/, '');
    if (text && !DLT_ID.test(text))
      throw new DltIdError(`parameter 0x${tag.toString(16)} is not an id of up to 30 digits`);
    return text;
  };
  const [entity, template] = [idOf(tags.entity), idOf(tags.template)];
  if (!entity && !template) return undefined;
  return { ...(entity && { entity }), ...(template && { template }) };
}

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

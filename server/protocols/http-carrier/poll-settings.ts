import { z } from 'zod';
import { checked, entriesOf, headerName, jsonOf, locator, text } from './schema-parts.ts';
import { DescriptionError, pollNames, Template, type TemplatePlace, textsOfJson } from './template.ts';

/* Requests for reports and incoming messages, for providers that do not send them. */

/** Seconds between two polls. Fewer would be a load on the provider, and more would make reports useless. */
const MIN_EVERY = 5;
const MAX_EVERY = 3_600;
const DEFAULT_EVERY = 60;

/** Placeholders of a poll: secrets and, by name, what the last answers had. */
const pollTemplate = (place: TemplatePlace) => checked(text, (value) => checkPoll(value, place));

function checkPoll(value: string, place: TemplatePlace): void {
  const isKnown = (name: string) => (pollNames as readonly string[]).includes(name);
  const foreign = new Template(value, place).names.find((name) => !isKnown(name));
  if (foreign !== undefined)
    throw new DescriptionError(`{${foreign}} is of a message; a poll has {cursor} and secrets only`);
}

const entries = (place: TemplatePlace) => entriesOf(pollTemplate(place));

const request = (method: 'GET' | 'POST') => ({
  method: z.enum(['GET', 'POST']).default(method),
  url: pollTemplate('path'),
  query: entries('query').default({}),
  headers: z.record(headerName, pollTemplate('header')).default({}),
  body: z
    .union(
      [
        z.strictObject({ form: entries('form') }),
        z.strictObject({ json: jsonOf((value) => checkPoll(value, 'json')) }),
      ],
      'must be {"form": …} or {"json": …}',
    )
    .optional(),
});

const poll = z
  .strictObject({
    ...request('GET'),
    every: z.int().min(MIN_EVERY).max(MAX_EVERY).default(DEFAULT_EVERY),
    /** Place of the value that the next request has as `{cursor}`: the last one, if there are several. */
    cursor: z.strictObject({ at: locator, first: z.string().max(200).default('') }).optional(),
    /** Request that tells the provider what was stored. */
    acknowledge: z
      .strictObject({
        ...request('POST'),
        /** Places of the ids for `{ids}`. */
        ids: locator.optional(),
      })
      .optional(),
  })
  .superRefine((value, context) => {
    const problem = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
    const { cursor, acknowledge } = value;
    const [own, acknowledged] = [namesIn(value), acknowledge ? namesIn(acknowledge) : new Set<string>()];
    const usesCursor = own.has('cursor') || acknowledged.has('cursor');
    if (usesCursor && !cursor) problem(['cursor'], 'is missing: the request contains {cursor}');
    if (!usesCursor && cursor) problem(['cursor'], 'is not used: no request contains {cursor}');
    if (own.has('ids')) problem(['url'], '{ids} is only for acknowledge');
    const usesIds = acknowledged.has('ids');
    if (usesIds && acknowledge?.ids === undefined)
      problem(['acknowledge', 'ids'], 'is missing: the request contains {ids}');
    if (!usesIds && acknowledge?.ids !== undefined)
      problem(['acknowledge', 'ids'], 'is not used: the request does not contain {ids}');
  });
export type PollDescription = z.output<typeof poll>;
export type PollRequest = Pick<PollDescription, 'method' | 'url' | 'query' | 'headers' | 'body'>;

export const polls = z.strictObject({ reports: poll.optional(), incoming: poll.optional() });
export type PollKind = keyof z.output<typeof polls>;

/** Kinds of polls, in the order in which they are shown. */
export const pollKinds: readonly PollKind[] = ['reports', 'incoming'];

/** Returns the requests of polls: those for items, and those that acknowledge them. */
export function requestsOfPolls(given: z.output<typeof polls> | undefined): PollRequest[] {
  return pollKinds.flatMap((kind) => {
    const one = given?.[kind];
    if (!one) return [];
    return one.acknowledge ? [one, one.acknowledge] : [one];
  });
}

/** Returns the texts of a request that may have placeholders. */
export function textsOfRequest({ url, query, headers, body }: PollRequest): string[] {
  const ofBody = !body ? [] : 'form' in body ? Object.values(body.form) : textsOfJson(body.json);
  return [url, ...Object.values(query), ...Object.values(headers), ...ofBody];
}

function namesIn(one: PollRequest): Set<string> {
  try {
    return new Set(textsOfRequest(one).flatMap((given) => new Template(given, 'plain').names));
  } catch (error) {
    // The check of the field reports a text that cannot be compiled.
    if (error instanceof DescriptionError) return new Set();
    throw error;
  }
}

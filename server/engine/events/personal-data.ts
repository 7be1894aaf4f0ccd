import { type Mentions, replaceIn, replaceInJson } from '../../modules/personal-data/mentions.ts';
import type { PersonalDataPart } from '../../modules/personal-data/part.ts';
import { partOfMentions } from '../../modules/personal-data/table-parts.ts';

/** Fields of events with personal data other than the number or address: cleared when an event concerns the person. */
const TOLD = new Set([
  'text',
  'message',
  'body',
  'name',
  'subject',
  'html',
  'content',
  'client_name',
  'user_id',
  'reason',
]);

/** Removes a person from the events of a batch, or from one event: matching events keep only their ids and times. */
function withoutPerson(
  json: string,
  mentions: Mentions,
  pseudonymOf: (identifier: string) => string,
): string {
  const stored = JSON.parse(json) as StoredEvent | StoredEvent[];
  const clean = (event: StoredEvent): StoredEvent => {
    if (!mentions.in(JSON.stringify(event.data))) return event;
    const data = Object.entries(event.data).map(([name, value]): [string, unknown] => [
      name,
      TOLD.has(name) ? emptied(value) : replaceIn(value, mentions, pseudonymOf),
    ]);
    return { ...event, data: Object.fromEntries(data) };
  };
  return JSON.stringify(Array.isArray(stored) ? stored.map(clean) : clean(stored));
}

interface StoredEvent {
  readonly data: Readonly<Record<string, unknown>>;
}

const emptied = (value: unknown) => (typeof value === 'string' ? '' : null);

/** Batches have up to 500 events of some hundred characters. */
const BATCHES_AT_ONCE = 200;

/**
 * Stored events and waiting deliveries. Ids stay, so that receivers' references remain valid; the person and the
 * content are removed.
 */
export const eventsPart: PersonalDataPart = partOfMentions([
  {
    table: 'event_batches',
    kind: 'events',
    key: 'id',
    columns: { events: withoutPerson },
    sealed: ['events'],
    searchedAtOnce: BATCHES_AT_ONCE,
  },
  {
    table: 'deliveries',
    kind: 'events',
    key: 'id',
    columns: {
      event: withoutPerson,
      last_answer: (text, mentions, by) => replaceInJson(text, mentions, by),
      last_error: (text, mentions, by) => mentions.replace(text, by),
    },
    sealed: ['event', 'last_answer'],
  },
  {
    table: 'webhook_attempts',
    kind: 'events',
    key: 'id',
    columns: {
      answer: (text, mentions, by) => replaceInJson(text, mentions, by),
      error: (text, mentions, by) => mentions.replace(text, by),
    },
    sealed: ['answer'],
  },
]);

import { type Mentions, replaceIn, replaceInJson } from '../personal-data/mentions.ts';
import type { PersonalDataPart } from '../personal-data/part.ts';
import { partOfMentions } from '../personal-data/table-parts.ts';

/** What events have of a person beside the number or address: emptied where an event is about them. */
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

/** The events of a batch, or one event: those that name the person are kept for their ids and times alone. */
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
 * Events that are kept to be sent again, and deliveries that wait. Their ids stay, so that what receivers know of them stays
 * right; who was meant, and what was said, goes.
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
]);

import type {
  ButtonsMessage,
  CarouselMessage,
  MediaMessage,
  PlatformMessage,
  TemplateMessage,
  TextMessage,
} from '../../carriers/chat-platform/messages.ts';
import type { PayloadCodec } from '../../channel-contract/channel.ts';
import type { Query, Queryable, Row } from '../../database/connection.ts';
import { isSealed } from '../../database/is-sealed.ts';

type Unaddressed<M extends PlatformMessage> = Omit<M, 'to' | 'reference'>;

/** A file of ours, which is brought to the platform when the message is submitted. */
export interface MediaContent {
  readonly kind: 'media';
  /** The caption; empty for none. */
  readonly body: string;
  readonly media: Omit<MediaMessage['media'], 'id'> & {
    /** Our id of the file (media/). */
    readonly id: number;
  };
  /** As that of other messages. */
  readonly replyTo?: string;
}

/** What a chat message says: the platform's message without to whom. */
export type ChatContent =
  | MediaContent
  | Unaddressed<TextMessage>
  | Unaddressed<TemplateMessage>
  | Unaddressed<ButtonsMessage>
  | Unaddressed<CarouselMessage>;

/** Contents are stored as JSON. */
export const chatCodec: PayloadCodec<ChatContent> = {
  encode: (content) => JSON.stringify(content),

  decode({ own, shared }) {
    const stored = own ?? shared;
    if (stored === null) throw new Error('a chat message has no content');
    return JSON.parse(stored) as ChatContent;
  },

  /** Of a template, its values; of a file, its caption or name; of others, the body. */
  summary(stored) {
    if (stored === null || stored === '') return stored;
    const content = JSON.parse(stored) as ChatContent;
    if (content.kind === 'template') return content.values.body.join(' · ');
    return content.kind === 'media' ? content.body || content.media.fileName : content.body;
  },
};

/**
 * Whether a stored content is a template: a condition on a column, or on an expression, of that text. Of sealed ones, which the
 * database cannot read, `sealedIds` says it, by the id of the message.
 */
export function isTemplate(sql: Queryable, stored: Query<Row[]>, id: Query<Row[]>, sealedIds: string) {
  return sql`CASE WHEN ${isSealed(sql, stored)} THEN ${id} = ANY(${sealedIds}::bigint[])
    ELSE coalesce((${stored})::json ->> 'kind' = 'template', false) END`;
}

/** The message to hand to the platform. `reference` comes back with its statuses. */
export function addressed(
  content: Exclude<ChatContent, MediaContent>,
  to: string,
  reference: string,
): PlatformMessage {
  return { ...content, to, reference } as PlatformMessage;
}

/** The same for a file, which is on the platform with this id. */
export function addressedFile(
  { media, ...content }: MediaContent,
  platformId: string,
  to: string,
  reference: string,
): MediaMessage {
  return { ...content, media: { ...media, id: platformId }, to, reference };
}

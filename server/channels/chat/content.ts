import type { Query, Queryable, Row } from '../../database/connection.ts';
import { isSealed } from '../../database/is-sealed.ts';
import type {
  ButtonsMessage,
  CarouselMessage,
  MediaMessage,
  PlatformMessage,
  TemplateMessage,
  TextMessage,
} from '../../protocols/chat-platform/messages.ts';
import type { PayloadCodec } from '../contract/channel.ts';

type Unaddressed<M extends PlatformMessage> = Omit<M, 'to' | 'reference'>;

/** A stored file, which is uploaded to the platform when the message is submitted. */
export interface MediaContent {
  readonly kind: 'media';
  /** The caption; empty for none. */
  readonly body: string;
  readonly media: Omit<MediaMessage['media'], 'id'> & {
    /** Our id of the file (media/). */
    readonly id: number;
  };
  /** As in other messages. */
  readonly replyTo?: string;
}

/** Content of a chat message: the platform's message without its recipient. */
export type ChatContent =
  | MediaContent
  | Unaddressed<TextMessage>
  | Unaddressed<TemplateMessage>
  | Unaddressed<ButtonsMessage>
  | Unaddressed<CarouselMessage>;

/** Stores contents as JSON. */
export const chatCodec: PayloadCodec<ChatContent> = {
  encode: (content) => JSON.stringify(content),

  decode({ own, shared }) {
    const stored = own ?? shared;
    if (stored === null) throw new Error('a chat message has no content');
    return JSON.parse(stored) as ChatContent;
  },

  /** For a template, its values; for a file, its caption or name; for others, the body. */
  summary(stored) {
    if (stored === null || stored === '') return stored;
    const content = JSON.parse(stored) as ChatContent;
    if (content.kind === 'template') return content.values.body.join(' · ');
    return content.kind === 'media' ? content.body || content.media.fileName : content.body;
  },
};

/**
 * SQL condition: a stored content is a template. `stored` is a column or expression with the content. The database
 * cannot read encrypted contents, so `sealedIds` contains the ids of the encrypted templates.
 */
export function isTemplate(sql: Queryable, stored: Query<Row[]>, id: Query<Row[]>, sealedIds: string) {
  return sql`CASE WHEN ${isSealed(sql, stored)} THEN ${id} = ANY(${sealedIds}::bigint[])
    ELSE coalesce((${stored})::json ->> 'kind' = 'template', false) END`;
}

/** Returns the message to submit to the platform. Its statuses contain `reference`. */
export function addressed(
  content: Exclude<ChatContent, MediaContent>,
  to: string,
  reference: string,
): PlatformMessage {
  return { ...content, to, reference } as PlatformMessage;
}

/** As `addressed`, for a file that has this id on the platform. */
export function addressedFile(
  { media, ...content }: MediaContent,
  platformId: string,
  to: string,
  reference: string,
): MediaMessage {
  return { ...content, media: { ...media, id: platformId }, to, reference };
}

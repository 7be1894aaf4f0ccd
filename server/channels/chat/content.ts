import type {
  ButtonsMessage,
  CarouselMessage,
  PlatformMessage,
  TemplateMessage,
  TextMessage,
} from '../../carriers/chat-platform/messages.ts';
import type { PayloadCodec } from '../../channel-contract/channel.ts';
import type { Query, Queryable, Row } from '../../database/connection.ts';

type Unaddressed<M extends PlatformMessage> = Omit<M, 'to' | 'reference'>;

/** What a chat message says: the platform's message without to whom. */
export type ChatContent =
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

  /** Of a template, its values; of others, the body. */
  summary(stored) {
    if (stored === null || stored === '') return stored;
    const content = JSON.parse(stored) as ChatContent;
    return content.kind === 'template' ? content.values.body.join(' · ') : content.body;
  },
};

/** Whether a stored content is a template: a condition on a column, or on an expression, of that text. */
export function isTemplate(sql: Queryable, stored: Query<Row[]>) {
  return sql`coalesce((${stored})::json ->> 'kind' = 'template', false)`;
}

/** The message to hand to the platform. `reference` comes back with its statuses. */
export function addressed(content: ChatContent, to: string, reference: string): PlatformMessage {
  return { ...content, to, reference } as PlatformMessage;
}

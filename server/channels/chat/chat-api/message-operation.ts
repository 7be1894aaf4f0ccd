import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import { answered, type JsonSchema } from '../../../api/openapi/shown.ts';
import type { SendKey } from '../../../api/send-keys/send-keys.ts';
import type { Sent } from '../sender.ts';
import { aboutPost, repeated } from './about.ts';
import { type Content, looseText } from './fields.ts';
import type { Call, ChatOperation } from './operation.ts';
import { OK, type ReasonTable, reasonOf } from './reasons.ts';

type Echoes = Readonly<Record<string, string>>;

/** An operation that sends one message: A2, A4, A5. */
interface MessageOperation {
  readonly paths: readonly [string, ...string[]];
  readonly about: {
    readonly id: string;
    readonly title: string;
    readonly description: string;
    readonly schema: z.ZodObject;
    readonly numbered?: JsonSchema;
    readonly example: Content;
    /** Fields of `ans` in addition to the common ones. */
    readonly echoes?: z.ZodRawShape;
  };
  readonly reasons: ReasonTable;
  /** The field with the text, which a refusal repeats. */
  readonly bodyField?: string;
  /** Returns the fields of the request that `ans` repeats. */
  readonly echo?: (content: Content) => Echoes;
  /** Whether the response contains the request. */
  readonly showsRequest?: (content: Content) => boolean;
  /** `sendKey` is stored with the message. */
  send(content: Content, call: Call, sendKey: SendKey<Sent> | undefined): Promise<Sent>;
}

/**
 * Creates an operation that sends one message, with its responses (interface, "Sent chat message result").
 */
export function messageOperation(operation: MessageOperation): ChatOperation {
  const { paths, about, reasons, bodyField, echo = () => ({}), showsRequest = () => false } = operation;
  const [, ...aliases] = paths;

  function withRequest(answer: object, content: Content): object {
    if (!showsRequest(content)) return answer;
    // A token that the caller put into the body is not repeated either.
    const { showRequest, key, ...request } = content;
    return { ...answer, request };
  }

  return {
    paths,
    about: aboutPost({
      ...about,
      aliases,
      answer: z.object({
        success: out.flag('Whether the message was accepted.', true),
        ans: z.object(ansFields(about.echoes ?? {})),
        repeated,
      }),
      outcomes: [...reasons.meanings].map(([reason, meaning]) => ({ code: String(reason), meaning })),
    }),

    async run(content, call) {
      const answer = ({ id, at, from, to, body, templateTimeLeft, conversationTimeLeft }: Sent) => {
        const ans = {
          status: 'OK',
          unique: String(id),
          timestamp: seconds(at),
          from,
          to,
          body,
          ...echo(content),
          templateTimeLeft,
          conversationTimeLeft,
          reason: OK,
        };
        return withRequest({ success: true, ans }, content);
      };
      return answer(await operation.send(content, call, call.sendKey?.answering(answer)));
    },

    refuse(error, message, content, now) {
      const ans = {
        status: 'FAIL',
        unique: '',
        timestamp: seconds(now),
        from: looseText(content.source),
        to: looseText(content.destination),
        body: bodyField === undefined ? '' : looseText(content[bodyField]),
        ...echo(content),
        templateTimeLeft: 0,
        conversationTimeLeft: 0,
        reason: reasonOf(reasons, error),
      };
      return withRequest({ success: false, message, ans }, content);
    },
  };
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1_000);

function ansFields(echoes: z.ZodRawShape): z.ZodRawShape {
  return {
    status: answered(z.enum(['OK', 'FAIL']), 'Whether the message was accepted.', 'OK'),
    unique: out.text('Id of the message; empty if it was refused.', '1774337460000007'),
    timestamp: out.count('Time of acceptance, in seconds since 1970.', 1_774_337_460),
    from: out.text('Business number.', '972550000001'),
    to: out.text('Recipient.', '972501234567'),
    body: out.text('Text of the message; for a template, with its variables filled in.', 'Hello Dana'),
    ...echoes,
    templateTimeLeft: out.count("Minutes left of the 24 hours since the client's last message.", 1_431),
    conversationTimeLeft: out.count('Minutes left of the conversation.', 1_440),
    reason: out.count('1 if accepted; otherwise the reason for the refusal.', OK),
  };
}

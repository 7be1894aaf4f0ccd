import { z } from 'zod';
import { out } from '../../../api/openapi/out.ts';
import type { ButtonsMessage, LinkedMedia, ReplyButton } from '../../../protocols/chat-platform/messages.ts';
import { hasEmoji, MAX_BUTTON_TEXT, MAX_FOOTER, MAX_TARGET, MAX_TEXT } from '../free-form-rules.ts';
import { buttonMedia } from '../media-rules.ts';
import {
  type Content,
  FieldProblem,
  fieldReader,
  isPresent,
  looseText,
  optionalText,
  optionalTextUpTo,
  text,
  textUpTo,
} from './fields.ts';
import { checkMedia, readTarget } from './link-targets.ts';
import { messageOperation } from './message-operation.ts';
import { type Call, destination, readAddresses, readQuoted, replyTo, source } from './operation.ts';
import { buttonReasons } from './reasons.ts';

const kinds: Readonly<Record<string, LinkedMedia['kind'] | 'none'>> = {
  '1': 'none',
  '2': 'image',
  '3': 'video',
  '4': 'document',
};

const schema = z.object({
  source,
  destination,
  header: text
    .refine((value) => Object.hasOwn(kinds, value.trim()), 'must be 1, 2, 3 or 4')
    .meta({
      description: 'Type of the header: `1` none, `2` image, `3` video, `4` document.',
      enum: Object.keys(kinds),
    }),
  headerURL: optionalText.describe(
    'https address of the header file, for `header` 2, 3 or 4. Images jpg, png up to 5 MB; videos mp4 up to 16 MB; documents pdf up to 100 MB.',
  ),
  body: textUpTo(MAX_TEXT).describe('Text of the message.'),
  footer: optionalTextUpTo(MAX_FOOTER).describe('Footer, shown in small letters below the text.'),
  button1: textUpTo(MAX_BUTTON_TEXT).describe('Text of the first button.'),
  button2: optionalTextUpTo(MAX_BUTTON_TEXT).describe('Text of the second button.'),
  button3: optionalTextUpTo(MAX_BUTTON_TEXT).describe('Text of the third button.'),
  buttonExternal: optionalTextUpTo(MAX_TARGET).describe(
    'https address, phone number or email address that `button1` opens. `button1` must then have no emoji, and there are no other buttons.',
  ),
  replyTo,
});

type Unaddressed = Omit<ButtonsMessage, 'to' | 'reference'>;

const echoed = ['header', 'footer', 'button1', 'button2', 'button3'] as const;

/** Sends a message with buttons inside the customer's window (interface, A4). */
export const buttons = messageOperation({
  paths: ['send-buttons'],
  about: {
    id: 'sendButtons',
    title: 'Send buttons',
    description:
      "Sends a text with one to three buttons, or with one button that opens an address, within 24 hours of the client's last message. The first 1,000 messages a month are free, together with carousels; each further one costs 0.5 credits.",
    schema,
    example: {
      source: '972550000001',
      destination: '972501234567',
      header: '1',
      body: 'Shall we come tomorrow?',
      footer: 'Answer by tonight',
      button1: 'Yes',
      button2: 'No',
    },
    echoes: {
      header: out.text('Header, as in the request. The following fields also repeat the request.', '1'),
      footer: out.text('Footer.', 'Answer by tonight'),
      button1: out.text('First button.', 'Yes'),
      button2: out.text('Second button.', 'No'),
      button3: out.text('Third button.', ''),
    },
  },
  reasons: buttonReasons,
  bodyField: 'body',
  echo: (content) => Object.fromEntries(echoed.map((field) => [field, looseText(content[field])])),
  async send(content, call, sendKey) {
    const addresses = await readAddresses(content, call);
    return call.services.sender.buttons(
      {
        ...addresses,
        content: () => readButtons(content, call, addresses.accountId),
      },
      sendKey,
    );
  },
});

async function readButtons(content: Content, call: Call, accountId: number): Promise<Unaddressed> {
  const read = fieldReader(schema, content);
  const header = await readHeader(content, call);
  const body = read('body');
  const footer = read('footer') ?? '';
  const action = isPresent(content.buttonExternal) ? readExternalButton(content, call) : readReplies(content);
  const quoted = await readQuoted(content, call, accountId);
  return { kind: 'buttons', header, body, footer, action, ...(quoted !== undefined && { replyTo: quoted }) };
}

async function readHeader(content: Content, { services }: Call): Promise<LinkedMedia | null> {
  const read = fieldReader(schema, content);
  const kind = kinds[read('header').trim()]!;
  if (kind === 'none') return null;
  const link = read('headerURL')?.trim() ?? '';
  if (link === '') throw new FieldProblem('headerURL', 'headerURL: missing');
  const wanted = { extensions: { [kind]: buttonMedia[kind] }, httpsOnly: true };
  await checkMedia(services.media, link, wanted, 'headerURL');
  return { kind, link };
}

function readExternalButton(content: Content, { services }: Call): Unaddressed['action'] {
  const read = fieldReader(schema, content);
  const title = read('button1');
  if (hasEmoji(title)) {
    throw new FieldProblem('button1', 'button1: must have no emoji together with buttonExternal');
  }
  return { title, external: readTarget(services.numbers, 'buttonExternal', read('buttonExternal') ?? '') };
}

function readReplies(content: Content): Unaddressed['action'] {
  const read = fieldReader(schema, content);
  const replies: ReplyButton[] = [];
  for (const [index, field] of (['button1', 'button2', 'button3'] as const).entries()) {
    const title = read(field);
    if (title === undefined) continue;
    // The platform refuses two buttons with the same text.
    if (replies.some((other) => other.title === title)) {
      throw new FieldProblem(field, `${field}: says the same as another button`);
    }
    replies.push({ id: String(index + 1), title });
  }
  return replies;
}

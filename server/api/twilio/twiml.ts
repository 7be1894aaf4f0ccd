import { SaxesParser } from 'saxes';
import { textIn } from '../http-interfaces/form.ts';
import type { Method } from './numbers.ts';

/** A message to send. */
export interface MessageVerb {
  readonly verb: 'message';
  readonly body: string;
  readonly hasMedia: boolean;
  readonly to: string | undefined;
  readonly from: string | undefined;
  /** Address that is called next, in place of the verbs that follow. */
  readonly action: string | undefined;
  readonly method: Method;
  readonly statusCallback: string | undefined;
}

/** A document to read in place of the verbs that follow. */
export interface RedirectVerb {
  readonly verb: 'redirect';
  readonly url: string;
  readonly method: Method;
}

export type Verb = MessageVerb | RedirectVerb;

/** An answer that is no TwiML. */
export class TwimlError extends Error {
  /** Error code of Twilio. */
  readonly code: string;

  constructor(code: '12100' | '12300', message: string) {
    super(message);
    this.code = code;
  }
}

const XML_TYPES: readonly string[] = ['text/xml', 'application/xml', 'text/html'];
/** Maximum depth of elements. TwiML for messages has three levels. */
const MAX_DEPTH = 16;

/** Returns the verbs of an answer in their order. Throws TwimlError. */
export function readAnswer(contentType: string, body: Buffer): readonly Verb[] {
  const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length);
  const text = textIn(charset?.replaceAll('"', '') || 'utf-8', body)?.trim();
  if (text === undefined) throw new TwimlError('12100', 'the answer is not readable in its alphabet');
  if (text === '') return [];
  if (type === 'text/plain') return [{ ...noAttributes, verb: 'message', body: text, hasMedia: false }];
  if (!XML_TYPES.includes(type))
    throw new TwimlError('12300', 'the answer has no Content-Type text/xml, application/xml or text/plain');
  return readTwiml(text);
}

const noAttributes = {
  to: undefined,
  from: undefined,
  action: undefined,
  method: 'POST',
  statusCallback: undefined,
} as const;

/** An open element. */
interface Frame {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
  /** Texts of `Body` elements in it. */
  readonly bodies: string[];
  hasMedia: boolean;
}

/**
 * Reads a TwiML document. It must be well-formed; a DOCTYPE is refused, so that no entity can be defined or fetched.
 * Unknown elements are ignored. `Sms` is the earlier name of `Message`. Throws TwimlError.
 */
function readTwiml(text: string): readonly Verb[] {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const open: Frame[] = [];
  const verbs: Verb[] = [];
  let root: string | undefined;
  parser.on('error', () => {
    throw new TwimlError('12100', 'the answer is not well-formed XML');
  });
  parser.on('doctype', () => {
    throw new TwimlError('12100', 'a DOCTYPE is not accepted');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === MAX_DEPTH) throw new TwimlError('12100', 'the answer is nested too deeply');
    root ??= name;
    open.push({ name, attributes, text: '', bodies: [], hasMedia: false });
  });
  const addText = (chunk: string) => {
    const frame = open.at(-1);
    if (frame) frame.text += chunk;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const frame = open.pop()!;
    const parent = open.at(-1);
    if (open.length === 1) {
      const verb = verbOf(frame);
      if (verb) verbs.push(verb);
    } else if (frame.name === 'Body') parent?.bodies.push(frame.text.trim());
    else if (frame.name === 'Media' && parent) parent.hasMedia = true;
  });
  parser.write(text).close();
  if (root !== 'Response') throw new TwimlError('12100', 'the root of the answer is not Response');
  return verbs;
}

function verbOf({ name, attributes, text, bodies, hasMedia }: Frame): Verb | undefined {
  const method = attributes.method?.trim().toUpperCase() === 'GET' ? 'GET' : 'POST';
  if (name === 'Redirect') return { verb: 'redirect', url: text.trim(), method };
  if (name !== 'Message' && name !== 'Sms') return undefined;
  const body = bodies.length > 0 ? bodies.join('\n') : text.trim();
  const given = (attribute: string) => attributes[attribute]?.trim() || undefined;
  return {
    verb: 'message',
    body,
    hasMedia,
    to: given('to'),
    from: given('from'),
    action: given('action'),
    method,
    statusCallback: given('statusCallback'),
  };
}

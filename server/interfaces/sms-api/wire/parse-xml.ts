import { SaxesParser } from 'saxes';
import { maxDepth } from './limits.ts';
import { WireError } from './wire-error.ts';

type Node = Record<string, unknown>;

/** An element that is open: what was found in it so far. */
interface Frame {
  name: string;
  /** Its attributes and elements; undefined while it has none, as most have only text. */
  node: Node | undefined;
  text: string;
}

/**
 * Reads one XML 1.0 document into the JSON shape. Checks that it is well-formed, which saxes does to the
 * letter: character references to forbidden characters and entities other than the five predefined ones are
 * errors. A DOCTYPE is refused, so nothing can be defined, let alone fetched. Comments and processing
 * instructions are skipped, CDATA is text, prefixes of names stay. An XML declaration of version 1.1 is read
 * by the rules of 1.0.
 *
 * Elements and attributes named `__proto__` are dropped, as in JSON.
 *
 * @param text starts with `<`
 * @throws {WireError}
 */
export function parseXml(text: string): { root: string; content: Record<string, unknown> } {
  const open: Frame[] = [];
  let root: Frame | undefined;
  let rootValue: unknown;
  const parser = new SaxesParser({
    xmlns: false,
    position: false,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });

  parser.on('error', (error) => {
    const place = `line ${parser.line}, column ${parser.column}`;
    throw new WireError('unparseable', 'xml', `Not well-formed XML at ${place}: ${plain(error.message)}`);
  });
  parser.on('doctype', () => {
    throw new WireError('unparseable', 'xml', 'A DOCTYPE is not accepted');
  });
  parser.on('opentagstart', () => {
    if (open.length === 0 && root !== undefined) {
      throw new WireError('root', 'xml', 'The body has more than one root element');
    }
    if (open.length === maxDepth) {
      throw new WireError('unparseable', 'xml', `The body is nested over ${maxDepth} levels deep`);
    }
  });
  parser.on('opentag', (tag) => {
    const frame: Frame = { name: tag.name, node: readAttributes(tag.attributes), text: '' };
    root ??= frame;
    open.push(frame);
  });
  const addText = (chunk: string) => {
    const frame = open[open.length - 1];
    // Only white space can be outside the root; saxes refuses the rest.
    if (frame !== undefined) frame.text += chunk;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const frame = open.pop()!;
    const value = contentOf(frame);
    const parent = open[open.length - 1];
    if (parent === undefined) rootValue = value;
    else addElement(parent, frame.name, value);
  });
  parser.write(text).close();

  // saxes has refused a document without a root by now.
  const name = root!.name;
  if (name === '__proto__') throw new WireError('root', 'xml', 'The body names no operation');
  if (typeof rootValue === 'object') return { root: name, content: rootValue as Node };
  return { root: name, content: rootValue === '' ? {} : { _: rootValue } };
}

function readAttributes(attributes: Record<string, string>): Node | undefined {
  let read: Record<string, string> | undefined;
  for (const name in attributes) {
    if (name === '__proto__') continue;
    read ??= {};
    read[name] = attributes[name]!.trim();
  }
  return read === undefined ? undefined : { $: read };
}

/** Text alone is a string; with attributes or elements beside it, it goes under `_`. */
function contentOf(frame: Frame): unknown {
  const text = frame.text.trim();
  if (frame.node === undefined) return text;
  if (text !== '') frame.node._ = text;
  return frame.node;
}

function addElement(parent: Frame, name: string, value: unknown): void {
  if (name === '__proto__') return;
  parent.node ??= {};
  const node = parent.node;
  // `in` would find what every object inherits, such as `constructor`.
  if (!Object.hasOwn(node, name)) node[name] = value;
  else {
    const before = node[name];
    if (Array.isArray(before)) before.push(value);
    else node[name] = [before, value];
  }
}

/** What saxes found, without the names that it quotes from the body after a colon, and without the full stop. */
function plain(message: string): string {
  const colon = message.indexOf(':');
  return (colon < 0 ? message : message.slice(0, colon)).replace(/\.$/, '');
}

import { SaxesParser } from 'saxes';
import { TimeSlice } from '../../../kit/time-slices.ts';
import {
  MAX_DEPTH,
  MAX_DIFFERENT_NAMES,
  MAX_XML_ATTRIBUTES,
  MAX_XML_ELEMENTS,
  MAX_XML_NAMES,
} from '../../bodies/limits.ts';
import type { Named } from './parse-json.ts';
import { WireError } from './wire-error.ts';

type Node = Record<string, unknown>;

/** An open element, with its content so far. */
interface Frame {
  name: string;
  /** Its attributes and elements; undefined without any, because most elements have only text. */
  node: Node | undefined;
  text: string;
  /** Number of distinct child elements. */
  names: number;
}

/** Characters per call of saxes: up to 3 ms. */
const PIECE = 32 * 1024;

/**
 * Reads an XML 1.0 document into the JSON shape. It must be well-formed, which saxes checks strictly: references to
 * forbidden characters and entities other than the five predefined ones are errors. A DOCTYPE is refused, so nothing
 * can be defined or fetched. Comments and processing instructions are skipped, CDATA is text, and name prefixes stay. A
 * document that declares version 1.1 is read by the rules of 1.0.
 * Drops elements and attributes named `__proto__`, as in JSON.
 *
 * @param text starts with `<`
 * @throws {WireError}
 */
export function parseXml(text: string): Named {
  const document = new XmlDocument();
  document.write(text);
  return document.end();
}

/** As `parseXml`, in slices (time-slices.ts). */
export async function parseXmlInSlices(text: string): Promise<Named> {
  const document = new XmlDocument();
  const slice = new TimeSlice();
  for (let at = 0; at < text.length; at += PIECE) {
    document.write(text.slice(at, at + PIECE));
    if (slice.isOverNow) await slice.rest();
  }
  return document.end();
}

/**
 * Returns the name of the root element from the beginning of a document; undefined if it cannot be read. For bodies
 * that are not read completely, so that the response can have the right root.
 */
export function rootOf(text: string): string | undefined {
  const document = new XmlDocument();
  try {
    document.write(text.slice(0, PIECE));
  } catch {
    // The root may precede the error.
  }
  return document.rootName;
}

/** A document, read piece by piece. */
class XmlDocument {
  readonly #parser = new SaxesParser({
    xmlns: false,
    position: false,
    defaultXMLVersion: '1.0',
    forceXMLVersion: true,
  });
  readonly #open: Frame[] = [];
  readonly #names = new Set<string>();
  #root: Frame | undefined;
  #rootValue: unknown;
  #elements = 0;
  #attributes = 0;

  constructor() {
    const parser = this.#parser;
    parser.on('error', (error) => {
      const place = `line ${parser.line}, column ${parser.column}`;
      throw unparseable(`Not well-formed XML at ${place}: ${plain(error.message)}`);
    });
    parser.on('doctype', () => {
      throw unparseable('A DOCTYPE is not accepted');
    });
    parser.on('opentagstart', () => this.#begin());
    parser.on('attribute', () => {
      if (++this.#attributes > MAX_XML_ATTRIBUTES) {
        throw unparseable(`An element has more than ${MAX_XML_ATTRIBUTES} attributes`);
      }
    });
    parser.on('opentag', (tag) => {
      const frame: Frame = { name: tag.name, node: readAttributes(tag.attributes), text: '', names: 0 };
      this.#root ??= frame;
      this.#open.push(frame);
    });
    const addText = (chunk: string) => {
      const frame = this.#open.at(-1);
      // Outside the root there can only be white space; saxes refuses everything else.
      if (frame !== undefined) frame.text += chunk;
    };
    parser.on('text', addText);
    parser.on('cdata', addText);
    parser.on('closetag', () => this.#close());
  }

  /** The name of the root element; undefined before it is read. */
  get rootName(): string | undefined {
    return this.#root?.name;
  }

  write(piece: string): void {
    this.#parser.write(piece);
  }

  end(): Named {
    this.#parser.close();
    // saxes has refused documents without a root by now.
    const name = this.#root!.name;
    if (name === '__proto__') throw new WireError('root', 'xml', 'The body names no operation');
    const value = this.#rootValue;
    if (typeof value === 'object') return { root: name, content: value as Node };
    return { root: name, content: value === '' ? {} : { _: value } };
  }

  #begin(): void {
    this.#attributes = 0;
    if (this.#open.length === 0 && this.#root !== undefined) {
      throw new WireError('root', 'xml', 'The body has more than one root element');
    }
    if (this.#open.length === MAX_DEPTH) {
      throw unparseable(`The body is nested over ${MAX_DEPTH} levels deep`);
    }
    if (++this.#elements > MAX_XML_ELEMENTS) {
      throw unparseable(`The body has more than ${MAX_XML_ELEMENTS} elements`);
    }
  }

  #close(): void {
    const frame = this.#open.pop()!;
    const value = contentOf(frame);
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      this.#rootValue = value;
      return;
    }
    if (!addElement(parent, frame.name, value)) return;
    this.#names.add(frame.name);
    if (++parent.names > MAX_XML_NAMES || this.#names.size > MAX_DIFFERENT_NAMES) {
      throw unparseable('The body has too many different elements');
    }
  }
}

const unparseable = (message: string) => new WireError('unparseable', 'xml', message);

function readAttributes(attributes: Record<string, string>): Node | undefined {
  let read: Record<string, string> | undefined;
  for (const name in attributes) {
    if (name === '__proto__') continue;
    read ??= {};
    read[name] = attributes[name]!.trim();
  }
  return read === undefined ? undefined : { $: read };
}

/** Text alone is a string; together with attributes or elements it is stored under `_`. */
function contentOf(frame: Frame): unknown {
  const text = frame.text.trim();
  if (frame.node === undefined) return text;
  if (text !== '') frame.node._ = text;
  return frame.node;
}

/** Adds an element to its parent. Returns true for the first one of its name there. */
function addElement(parent: Frame, name: string, value: unknown): boolean {
  if (name === '__proto__') return false;
  parent.node ??= {};
  const node = parent.node;
  // `in` would also find inherited properties, such as `constructor`.
  if (!Object.hasOwn(node, name)) {
    node[name] = value;
    return true;
  }
  const before = node[name];
  if (Array.isArray(before)) before.push(value);
  else node[name] = [before, value];
  return false;
}

/**
 * Returns an error text of saxes without the names that it quotes from the body after a colon, and without the full
 * stop.
 */
function plain(message: string): string {
  const colon = message.indexOf(':');
  return (colon < 0 ? message : message.slice(0, colon)).replace(/\.$/, '');
}

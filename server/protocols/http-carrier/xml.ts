import { SaxesParser } from 'saxes';

/** An element of a document, with its attributes and children. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children. */
  readonly text: string;
}

const MAX_DEPTH = 32;
const MAX_ELEMENTS = 20_000;
const MAX_ATTRIBUTES = 32;

interface OpenElement {
  readonly name: string;
  readonly attributes: Record<string, string>;
  readonly children: XmlElement[];
  text: string;
}

/**
 * Parses an XML document; undefined if it is not well-formed or has a DOCTYPE, which could define entities. Names have no
 * prefixes, since providers choose prefixes freely.
 */
export function parseXml(document: string): XmlElement | undefined {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const open: OpenElement[] = [];
  let root: XmlElement | undefined;
  let elements = 0;
  let attributes = 0;
  const refuse = (): never => {
    throw new Error('unreadable');
  };
  const addText = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('error', refuse);
  parser.on('doctype', refuse);
  parser.on('opentagstart', () => {
    attributes = 0;
    if (++elements > MAX_ELEMENTS || open.length >= MAX_DEPTH) refuse();
  });
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES) refuse();
  });
  parser.on('opentag', (tag) => {
    open.push({ name: localName(tag.name), attributes: { ...tag.attributes }, children: [], text: '' });
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop()!;
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  try {
    parser.write(document.trimStart()).close();
  } catch {
    return undefined;
  }
  return root;
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1);

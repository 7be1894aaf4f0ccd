import type { JSONContent } from '@tiptap/react';
import type { Align, Block, Design, Direction, Leaf } from './design.ts';

/*
 * Renders the blocks of an email as HTML that mail programs display consistently (tables, inline styles, 600 pixels wide)
 * and as plain text. Escapes every text that people wrote and permits only safe link addresses. Placeholders stay unchanged
 * in both; sending fills them in.
 */

const FONT = 'Arial, Helvetica, sans-serif';
const TEXT = '#1f2933';
const MUTED = '#5f6b7a';
const headingSizes = { 1: 28, 2: 22, 3: 18 } as const;
const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

interface Look {
  readonly direction: Direction;
  readonly color: string;
}

/** The mail as a document. */
export function htmlOf(design: Design): string {
  const { direction, blocks } = design;
  if (blocks.length === 0) return '';
  const rows = blocks.map((block) => `<tr><td style="padding:0 24px">${blockHtml(block, design)}</td></tr>`);
  // Programs that read styles of a document put columns below each other on a phone; others show them side by side.
  return `<!DOCTYPE html>
<html dir="${direction}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>@media (max-width:480px){.mail-column{display:block!important;width:100%!important}}</style></head>
<body dir="${direction}" style="margin:0;padding:0;background:#f3f4f6">
<table ${TABLE} width="100%" dir="${direction}" style="background:#f3f4f6"><tr><td align="center" style="padding:16px 8px">
<table ${TABLE} width="600" dir="${direction}" style="width:100%;max-width:600px;background:#ffffff;border-radius:8px">
<tr><td height="16" style="font-size:0;line-height:0">&nbsp;</td></tr>
${rows.join('\n')}
<tr><td height="16" style="font-size:0;line-height:0">&nbsp;</td></tr>
</table>
</td></tr></table>
</body></html>`;
}

/** The mail as plain text. */
export const textOf = ({ blocks }: Design): string =>
  blocks
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n\n');

function blockHtml(block: Block, look: Look): string {
  if (block.type !== 'columns') return leafHtml(block, look);
  const cells = block.columns.map((leaves, index) => {
    const inner =
      index === 0 ? `padding-${sideOf('end', look)}:12px` : `padding-${sideOf('start', look)}:12px`;
    const content = leaves.map((leaf) => leafHtml(leaf, look)).join('\n');
    return `<td class="mail-column" width="50%" valign="top" style="width:50%;${inner}">${content}</td>`;
  });
  return `<table ${TABLE} width="100%" dir="${look.direction}"><tr>${cells.join('')}</tr></table>`;
}

function leafHtml(block: Leaf, look: Look): string {
  switch (block.type) {
    case 'heading': {
      const { level, text, align } = block;
      const size = headingSizes[level];
      const style = `margin:12px 0;font:bold ${size}px/1.3 ${FONT};color:${TEXT};text-align:${sideOf(align, look)}`;
      return `<h${level} style="${style}">${escaped(text)}</h${level}>`;
    }
    case 'text': {
      const style = `font:16px/1.55 ${FONT};color:${TEXT};text-align:${sideOf(block.align, look)}`;
      // The editor keeps an empty paragraph below a list.
      const nodes = block.doc.content ?? [];
      const end = nodes.findLastIndex(({ content }) => content !== undefined);
      return `<div style="${style}">${nodesHtml(nodes.slice(0, end + 1), look)}</div>`;
    }
    case 'image': {
      const url = webAddress(block.url);
      if (url === '') return '';
      const style = `display:inline-block;width:${block.width}%;max-width:100%;height:auto;border:0`;
      const image = `<img src="${escaped(url)}" alt="${escaped(block.alt)}" style="${style}">`;
      return aligned(block.align, look, linked(image, block.href));
    }
    case 'button': {
      // The composer refuses to send it; a colored box without a word helps nobody.
      if (block.text.trim() === '') return '';
      const url = addressOf(block.url);
      const style = `display:inline-block;padding:12px 24px;font:bold 16px/1.2 ${FONT};color:${inkOn(look.color)};text-decoration:none`;
      const label = escaped(block.text);
      const inner =
        url === ''
          ? `<span style="${style}">${label}</span>`
          : `<a href="${escaped(url)}" style="${style}">${label}</a>`;
      const cell = `<td bgcolor="${look.color}" style="background:${look.color};border-radius:6px">${inner}</td>`;
      return aligned(
        block.align,
        look,
        `<table ${TABLE} align="${sideOf(block.align, look)}"><tr>${cell}</tr></table>`,
      );
    }
    case 'divider':
      return '<hr style="margin:20px 0;border:0;border-top:1px solid #d8dde3">';
    case 'spacer':
      return `<div style="height:${block.height}px;font-size:0;line-height:${block.height}px">&nbsp;</div>`;
    case 'footer': {
      const style = `margin:12px 0;font:13px/1.5 ${FONT};color:${MUTED};text-align:center`;
      const words = block.unsubscribe.trim();
      const link = words && `<a href="{{unsubscribe}}" style="color:${MUTED}">${escaped(words)}</a>`;
      const parts = [...(block.text.trim() ? [lines(block.text)] : []), ...(link ? [link] : [])];
      return `<p style="${style}">${parts.join('<br>')}</p>`;
    }
  }
}

const aligned = (align: Align, look: Look, html: string) =>
  `<table ${TABLE} width="100%"><tr><td align="${sideOf(align, look)}" style="padding:12px 0">${html}</td></tr></table>`;

function linked(html: string, href: string): string {
  const address = addressOf(href);
  return address === '' ? html : `<a href="${escaped(address)}">${html}</a>`;
}

const nodesHtml = (nodes: JSONContent['content'], look: Look): string =>
  (nodes ?? []).map((node) => nodeHtml(node, look)).join('');

function nodeHtml(node: JSONContent, look: Look): string {
  const inner = () => nodesHtml(node.content, look);
  switch (node.type) {
    case 'paragraph':
      return `<p style="margin:0 0 12px">${inner() || '&nbsp;'}</p>`;
    case 'bulletList':
      return `<ul style="margin:0 0 12px;padding:0 24px">${inner()}</ul>`;
    case 'orderedList':
      return `<ol style="margin:0 0 12px;padding:0 24px">${inner()}</ol>`;
    case 'listItem':
      // Paragraphs inside a list item have no margin.
      return `<li style="margin:0 0 4px">${inner().replaceAll('<p style="margin:0 0 12px">', '<p style="margin:0">')}</li>`;
    case 'hardBreak':
      return '<br>';
    case 'text':
      return marked(node, look);
    default:
      return '';
  }
}

function marked({ text, marks }: JSONContent, { color }: Look): string {
  let html = escaped(text ?? '');
  for (const { type, attrs } of marks ?? []) {
    if (type === 'bold') html = `<strong>${html}</strong>`;
    if (type === 'italic') html = `<em>${html}</em>`;
    const href = type === 'link' ? addressOf(attrs?.href) : '';
    if (href !== '') html = `<a href="${escaped(href)}" style="color:${color}">${html}</a>`;
  }
  return html;
}

function blockText(block: Block): string {
  switch (block.type) {
    case 'heading':
      return block.text.trim();
    case 'text':
      return nodesText(block.doc.content).trim();
    case 'image':
      return [block.alt.trim(), addressOf(block.href)].filter((part) => part !== '').join(': ');
    case 'button':
      if (block.text.trim() === '') return '';
      return [block.text.trim(), addressOf(block.url)].filter((part) => part !== '').join(': ');
    case 'divider':
      return '---';
    case 'spacer':
      return '';
    case 'footer': {
      const words = block.unsubscribe.trim();
      return [block.text.trim(), words && `${words}: {{unsubscribe}}`]
        .filter((part) => part !== '')
        .join('\n');
    }
    case 'columns':
      return block.columns
        .flat()
        .map(blockText)
        .filter((text) => text !== '')
        .join('\n\n');
  }
}

const nodesText = (nodes: JSONContent['content']): string => (nodes ?? []).map(nodeText).join('');

function nodeText(node: JSONContent): string {
  switch (node.type) {
    case 'paragraph':
      return `${nodesText(node.content)}\n\n`;
    case 'bulletList':
    case 'orderedList': {
      const items = (node.content ?? []).map((item, index) => {
        const mark = node.type === 'orderedList' ? `${index + 1}.` : '-';
        return `${mark} ${nodesText(item.content).trim().replaceAll(/\n+/g, '\n  ')}`;
      });
      return `${items.join('\n')}\n\n`;
    }
    case 'hardBreak':
      return '\n';
    case 'text': {
      const { text = '' } = node;
      const href = addressOf(node.marks?.find(({ type }) => type === 'link')?.attrs?.href);
      return href === '' || href === text ? text : `${text} (${href})`;
    }
    default:
      return nodesText(node.content);
  }
}

/** Returns the permitted target of a link: the web, a mailbox, a phone number, or a placeholder; '' for anything else. */
export function addressOf(given: unknown): string {
  if (typeof given !== 'string') return '';
  const address = given.trim();
  if (/^(https?:\/\/|mailto:|tel:)\S+$/i.test(address) || /^\{\{[^{}]+\}\}\S*$/.test(address)) return address;
  // Addresses as people write them: shop.example/spring.
  return /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(address) ? `https://${address}` : '';
}

/** Returns the address of an image; '' for anything but http and https. */
export function webAddress(given: string): string {
  const address = addressOf(given);
  return /^(mailto|tel):/i.test(address) ? '' : address;
}

/**
 * A placeholder that HTML can contain unchanged. Sending escapes its default value, so escaping it here would escape it
 * twice.
 */
const plainField = /(\{\{[^{}|\r\n<>"]{1,200}(?:\|[^{}\r\n<>"]{0,200})?\}\})/;

const escaped = (text: string) =>
  text
    .split(plainField)
    .map((part, index) => (index % 2 === 1 ? part : escapeAll(part)))
    .join('');
const escapeAll = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const lines = (text: string) => escaped(text.trim()).replaceAll(/\r?\n/g, '<br>');

function sideOf(align: Align, { direction }: Look): 'left' | 'center' | 'right' {
  if (align === 'center') return 'center';
  return (align === 'start') === (direction === 'ltr') ? 'left' : 'right';
}

/** Black or white, whichever is easier to read on a colour (WCAG's relative luminance). */
export function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000000' : '#ffffff';
}

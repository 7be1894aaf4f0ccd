import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Block, type Leaf, readDesign } from '../../console/src/features/mail/blocks/design.ts';
import {
  columnList,
  MAIN_LIST,
  moveBlock,
  positionOf,
  targetsOf,
} from '../../console/src/features/mail/blocks/move-block.ts';
import { addressOf, htmlOf, inkOn, textOf } from '../../console/src/features/mail/blocks/render.ts';
import { compileHtml, linksOf, write } from '../../server/channels/mail/placeholders.ts';

/** The HTML and the text that the block editor makes of a mail. */
const paragraph = (...content: object[]) => ({ type: 'paragraph', content });
const words = (text: string, ...marks: object[]) => ({ type: 'text', text, marks });
const doc = (...content: object[]) => ({ type: 'doc', content });
const madeOf = (...blocks: object[]) => readDesign({ direction: 'ltr', color: '#0b7285', blocks });
const hostile = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;

test('a button without text is in neither', () => {
  const design = madeOf(
    { type: 'heading', text: 'Spring' },
    { type: 'button', text: ' ', url: 'https://shop.example/' },
    { type: 'columns', columns: [[{ type: 'button', text: '' }], []] },
  );
  assert.deepEqual(linksOf(htmlOf(design)), []);
  assert.doesNotMatch(htmlOf(design), /bgcolor/);
  assert.equal(textOf(design), 'Spring');
});

test('every kind of block is in the HTML and in the text', () => {
  const design = madeOf(
    { type: 'heading', text: 'Spring & summer', level: 2 },
    {
      type: 'text',
      doc: doc(
        paragraph(
          words('Hello {{FirstName|friend}}, '),
          words('look', { type: 'bold' }, { type: 'link', attrs: { href: 'shop.example/spring' } }),
        ),
        {
          type: 'bulletList',
          content: [
            { type: 'listItem', content: [paragraph(words('one'))] },
            { type: 'listItem', content: [paragraph(words('two'))] },
          ],
        },
        { type: 'orderedList', content: [{ type: 'listItem', content: [paragraph(words('first'))] }] },
      ),
    },
    { type: 'image', url: 'https://shop.example/a.png', alt: 'A tree', href: 'https://shop.example/' },
    { type: 'divider' },
    { type: 'spacer', height: 30 },
    {
      type: 'columns',
      columns: [
        [{ type: 'button', text: 'Buy', url: 'https://shop.example/buy?a=1&b=2' }],
        [{ type: 'heading', text: 'Beside' }],
      ],
    },
    { type: 'footer', text: 'The shop\nHaifa', unsubscribe: 'Unsubscribe' },
  );
  const html = htmlOf(design);
  assert.deepEqual(linksOf(html), [
    'https://shop.example/spring',
    'https://shop.example/',
    'https://shop.example/buy?a=1&b=2',
  ]);
  const values: Record<string, string> = {
    firstname: 'Dana <b>',
    unsubscribe: 'https://mail.example/u?a=1&b=2',
  };
  const sent = write(compileHtml(html, linksOf(html)), (name) => values[name]);
  for (const part of [
    'Spring &amp; summer',
    'Hello Dana &lt;b&gt;, ',
    'alt="A tree"',
    'Haifa',
    'height:30px',
    'bgcolor="#0b7285"',
  ]) {
    assert.ok(sent.includes(part), part);
  }
  assert.match(sent, /<a href="https:\/\/mail\.example\/u\?a=1&amp;b=2"[^>]*>Unsubscribe<\/a>/);
  assert.equal(
    textOf(design),
    [
      'Spring & summer',
      'Hello {{FirstName|friend}}, look (https://shop.example/spring)',
      '- one\n- two',
      '1. first',
      'A tree: https://shop.example/',
      '---',
      'Buy: https://shop.example/buy?a=1&b=2',
      'Beside',
      'The shop\nHaifa\nUnsubscribe: {{unsubscribe}}',
    ].join('\n\n'),
  );
});

test('an empty paragraph between others is kept, and one at the end is not', () => {
  const empty = { type: 'paragraph' };
  const html = htmlOf(
    madeOf({ type: 'text', doc: doc(paragraph(words('one')), empty, paragraph(words('two')), empty, empty) }),
  );
  assert.match(html, /one<\/p><p[^>]*>&nbsp;<\/p><p[^>]*>two<\/p><\/div>/);
});

test('a mail from right to left begins at the right', () => {
  const blocks = [
    { type: 'heading', text: 'שלום' },
    { type: 'text', doc: doc(paragraph(words('טקסט'))), align: 'end' },
  ];
  const html = htmlOf(readDesign({ direction: 'rtl', blocks }));
  assert.match(html, /<html dir="rtl"/);
  assert.match(html, /<h1 style="[^"]*text-align:right">שלום/);
  assert.match(html, /<div style="[^"]*text-align:left">/);
});

test('what is written stays text, and addresses lead to the web, a mailbox or a phone alone', () => {
  const html = htmlOf(
    madeOf(
      { type: 'heading', text: hostile },
      {
        type: 'text',
        doc: doc(paragraph(words(hostile, { type: 'link', attrs: { href: 'javascript:alert(1)' } }))),
      },
      { type: 'text', doc: doc({ type: hostile, content: [words('{{a|<script>}}')] }) },
      { type: 'image', url: `https://shop.example/${hostile}`, alt: hostile, href: 'data:text/html,x' },
      { type: 'image', url: 'https://shop.example/x.png', alt: `{{a|" onload=alert(1) b="}}` },
      { type: 'button', text: hostile, url: ' JavaScript:alert(1)' },
      { type: 'footer', text: hostile, unsubscribe: hostile },
    ),
  );
  assert.doesNotMatch(html, /<script|<img src=x|javascript:|data:text/i);
  assert.doesNotMatch(html, /alt="[^"]*" onload/);
  for (const [given, address] of [
    ['https://shop.example/?q=1', 'https://shop.example/?q=1'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['tel:+972501234567', 'tel:+972501234567'],
    ['{{Link}}', '{{Link}}'],
    ['shop.example', 'https://shop.example'],
    ['javascript:alert(1)', ''],
    ['vbscript:x', ''],
    ['//evil.example', ''],
    ['not an address', ''],
    [7, ''],
  ] as const) {
    assert.equal(addressOf(given), address, String(given));
  }
});

test('content stored in another form is read as far as possible', () => {
  for (const stored of [
    null,
    'x',
    [],
    { blocks: {} },
    { blocks: [null, 7, [], { type: 'unknown' }, { type: 'columns' }] },
  ]) {
    const design = readDesign(stored);
    assert.doesNotThrow(() => htmlOf(design) + textOf(design));
  }
  const design = madeOf(
    { id: 'same', type: 'heading', level: 9, align: 'x', text: 7 },
    { id: 'same', type: 'image', width: 9_999, url: 'https://shop.example/a.png' },
    { type: 'columns', columns: [[{ type: 'columns', columns: [] }, { type: 'divider' }], 7] },
  );
  const [heading, image, columns] = design.blocks;
  assert.notEqual(heading!.id, image!.id);
  assert.deepEqual(heading, { id: 'same', type: 'heading', level: 1, align: 'start', text: '' });
  assert.equal(image!.type === 'image' && image!.width, 100);
  assert.deepEqual(columns!.type === 'columns' && columns!.columns.map((one) => one.length), [1, 0]);
  assert.equal(readDesign({ color: 'red;background:url(x)' }).color, '#0b7285');
  assert.equal(htmlOf(madeOf()), '');
});

test('the text of a button is readable on its colour', () => {
  assert.deepEqual(['#000000', '#0b7285', '#ffff00', '#ffffff'].map(inkOn), [
    '#ffffff',
    '#ffffff',
    '#000000',
    '#000000',
  ]);
});

describe('a moved block', () => {
  const block = (id: string): Block => ({ id, type: 'divider' });
  const columns = (id: string, first: string[], second: string[]): Block => ({
    id,
    type: 'columns',
    columns: [first.map(block) as Leaf[], second.map(block) as Leaf[]],
  });
  const blocks = [block('a'), columns('c', ['d'], []), block('b')];
  /** The ids of an email, with those of columns in brackets. */
  const shown = (all: readonly Block[]): string =>
    all
      .map((one) => (one.type === 'columns' ? `${one.id}[${one.columns.map(shown).join('|')}]` : one.id))
      .join(' ');
  const main = (id: string, before: string | null) =>
    shown(moveBlock(blocks, id, { list: MAIN_LIST, before }));
  const column = (id: string, index: number, before: string | null) =>
    shown(moveBlock(blocks, id, { list: columnList('c', index), before }));

  test('changes its place in the email', () => {
    assert.equal(main('b', 'a'), 'b a c[d|]');
    assert.equal(main('a', null), 'c[d|] b a');
    assert.equal(main('c', 'a'), 'c[d|] a b');
  });

  test('leaves a column, and enters one', () => {
    assert.equal(main('d', 'a'), 'd a c[|] b');
    assert.equal(column('b', 0, 'd'), 'a c[b d|]');
    assert.equal(column('d', 1, null), 'a c[|d] b');
  });

  test('stays where it is on itself, in no list, and as columns in a column', () => {
    for (const place of [main('a', 'a'), column('c', 0, null), main('unknown', null)])
      assert.equal(place, 'a c[d|] b');
    assert.equal(shown(moveBlock(blocks, 'a', { list: MAIN_LIST, before: 'gone' })), 'c[d|] b a');
  });

  const two = [columns('c', ['d', 'e'], []), columns('f', [], ['g']), block('a')];
  /** The emails after a block is moved to each of its targets. */
  const after = (id: string) => targetsOf(two, id).map(({ place }) => shown(moveBlock(two, id, place)));

  test('enters each column at its end, and leaves one behind its columns', () => {
    assert.deepEqual(after('a'), ['c[d e a|] f[|g]', 'c[d e|a] f[|g]', 'c[d e|] f[a|g]', 'c[d e|] f[|g a]']);
    assert.deepEqual(after('d'), ['c[e|d] f[|g] a', 'c[e|] f[d|g] a', 'c[e|] f[|g d] a', 'c[e|] d f[|g] a']);
    assert.deepEqual(
      targetsOf(two, 'g').map(({ column }) => column),
      [{ block: 0, index: 0 }, { block: 0, index: 1 }, { block: 1, index: 0 }, null],
    );
  });

  test('has no other list without columns, as columns, and when it is gone', () => {
    assert.deepEqual(targetsOf([block('a')], 'a'), []);
    for (const id of ['c', 'unknown']) assert.deepEqual(targetsOf(two, id), []);
  });

  test('has a position in its list', () => {
    assert.deepEqual(positionOf(two, 'a'), { index: 2, column: null });
    assert.deepEqual(positionOf(two, 'e'), { index: 1, column: { block: 0, index: 0 } });
    assert.deepEqual(positionOf(two, 'g'), { index: 0, column: { block: 1, index: 1 } });
    assert.equal(positionOf(two, 'unknown'), undefined);
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  compileHeader,
  compileHtml,
  compileText,
  linksOf,
  type Values,
  write,
} from '../../../server/channels/mail/placeholders.ts';
import { tagsOf, unescapeHtml } from '../../../server/kit/text/html.ts';
import { covers } from '../../conformance/covers.ts';

const values =
  (fields: Record<string, string>): Values =>
  (name) =>
    fields[name];
const html = (template: string, fields: Record<string, string>) =>
  write(compileHtml(template, []), values(fields));

test('fields are found by their names regardless of case, with their defaults when they are empty', () => {
  const compiled = compileText('{{FirstName}}, {{ city |nowhere}} {{city}}{{df 1}}');
  assert.deepEqual([...compiled.fields], ['firstname', 'city', 'df 1']);
  assert.equal(write(compiled, values({ firstname: 'Dana', 'df 1': '!' })), 'Dana, nowhere !');
});

test('text that is not a field stays unchanged', covers('mail.fields'), () => {
  for (const text of ['{{}}', '{{a', 'a}}', '{ {a}}', '{{a\nb}}', '{{{', '\x24{a}', '<%= a %>'])
    assert.equal(write(compileText(text), values({ a: 'x' })), text);
});

test('A value is one line in a header, and no value is a place for another', covers('mail.injection'), () => {
  assert.equal(
    write(compileHeader('Hello {{a}}'), values({ a: 'x\r\nBcc: y\u2028z\u0000' })),
    'Hello x Bcc: y z ',
  );
  assert.equal(write(compileText('{{a}}'), values({ a: '{{b}}', b: 'x' })), '{{b}}');
});

test(
  'In HTML a value is text: between tags, in attributes with quotes and without',
  covers('mail.fields'),
  () => {
    const evil = `"><script>x</script>' onload=y`;
    assert.equal(
      html('<b>{{a}}</b>', { a: evil }),
      '<b>&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39; onload=y</b>',
    );
    for (const template of ['<b title="{{a}}">', "<b title='{{a}}'>", '<b title={{a}}>', '<b {{a}}>']) {
      const written = html(template, { a: evil });
      const [tag, ...others] = [...tagsOf(written)];
      assert.deepEqual(others, [], written);
      assert.equal(tag!.to, written.length - 1, written);
      assert.ok(
        tag!.attributes.every(({ name }) => name === 'title'),
        written,
      );
    }
  },
);

test('In an address a value is a part of it, or an address of http as a whole', covers('mail.fields'), () => {
  assert.equal(
    html('<a href="https://example.com/?q={{a}}">', { a: 'x&y="1" javascript:' }),
    '<a href="https://example.com/?q=x%26y%3D%221%22%20javascript%3A">',
  );
  assert.equal(
    html('<a href="{{a}}">', { a: 'https://example.com/?a=1&b=2' }),
    '<a href="https://example.com/?a=1&amp;b=2">',
  );
  for (const a of ['javascript:alert(1)', 'data:text/html,x', ' https://example.com', 'https://x"y'])
    assert.equal(html('<a href="{{a}}">', { a }), '<a href="">');
});

test('Links are those of http that have no field, and each can get another address', () => {
  const mail = `<a href="https://example.com/?a=1&amp;b=2">1</a> <A class=x HREF='http://example.org/'>2</A>
    <a href="https://example.com/?a=1&amp;b=2">1 again</a> <a href="https://example.com/{{x}}">field</a>
    <a href="mailto:a@example.com">mail</a> <img src="https://example.com/i.png"> <a name="x">none</a>`;
  const links = linksOf(mail);
  assert.deepEqual(links, ['https://example.com/?a=1&b=2', 'http://example.org/']);
  const compiled = compileHtml(mail, links);
  const counted = write(compiled, values({ x: 'y' }), (index) => `https://go.example/${index}`);
  assert.deepEqual(
    [...counted.matchAll(/https:\/\/go\.example\/(\d)/g)].map(([, index]) => index),
    ['0', '1', '0'],
  );
  assert.equal(write(compiled, values({ x: 'y' })), mail.replace('{{x}}', 'y'));
});

test('HTML shows any value as text', covers('mail.fields'), () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (value) => {
      const written = html('<p>{{a|-}}</p>', { a: value });
      assert.equal(unescapeHtml(written.slice(3, -4)), value || '-');
      assert.doesNotMatch(written.slice(3, -4), /[<>"']/);
    }),
  );
});

test('malicious HTML takes no longer than other HTML', () => {
  const long = 100_000;
  for (const piece of ['<a ', '<a "', "<a '", '<a href="', '<a b=', '{{', '{{a|', "<a href='{{a}}"]) {
    const text = piece.repeat(long);
    compileHtml(text, linksOf(text));
  }
});

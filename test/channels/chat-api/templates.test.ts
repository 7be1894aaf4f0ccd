import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageNumber, languages } from '../../../server/channels/chat/languages.ts';
import { covers } from '../../conformance/covers.ts';
import { waitFor } from '../../support/wait-for.ts';
import { SOURCE, startChat, templateId, website } from './support.ts';

/** A1: the templates of a business number. */
const chat = await startChat();

type Shown = Readonly<Record<string, unknown>>;
const templatesOf = async (path: string, options = {}) => {
  const answer = await chat.get(`get-phone-templates/${path}`, options);
  return { ...answer, templates: answer.json.templates as Shown[] };
};

test(
  'all templates of a number, with every field',
  covers(
    'A1.answer',
    'A1.headers, headerSample',
    'A1.buttons, callToAction',
    'A1.quickReply1 to 3',
    'sandbox.demo.templates',
  ),
  async () => {
    const { http, success, templates } = await templatesOf(SOURCE);
    assert.deepEqual([http, success], [200, true]);
    const byName = new Map(templates.map((template) => [template.name, template]));
    for (const name of [
      'plain',
      'two',
      'image',
      'website',
      'coupon',
      'otp',
      'replies',
      'pending',
      'rejected',
      'banned',
    ]) {
      assert.equal(byName.get(name)?.templateId, templateId(name));
    }
    assert.deepEqual(byName.get('website'), {
      name: 'website',
      templateId: templateId('website'),
      language: '2',
      headerSample: '',
      body: 'Your invoice is ready.',
      footer: '',
      buttons: '2',
      callToAction: '3',
      callToActionWebsiteText: 'Open it',
      callToActionWebsiteType: '2',
      callToActionWebsiteURL: 'https://www.example.com/invoices/',
      callToActionCallText: 'Call us',
      callToActionCallNumber: '+972550000001',
      quickReply1: '',
      quickReply2: '',
      quickReply3: '',
      headers: '1',
      status: 1,
    });
    const replies = byName.get('replies')!;
    assert.deepEqual(
      [replies.buttons, replies.callToAction, replies.callToActionWebsiteType],
      ['3', '0', ''],
    );
    assert.deepEqual(
      [replies.quickReply1, replies.quickReply2, replies.quickReply3],
      ['Yes', 'No', 'Another day'],
    );
    const image = byName.get('image')!;
    assert.deepEqual([image.headers, image.body], ['2', 'Hello {{1}}, look what is new.']);
    assert.match(String(image.headerSample), /^https:/);
    assert.deepEqual(
      ['pending', 'rejected', 'banned'].map((name) => byName.get(name)!.status),
      [0, 2, 7],
    );
  },
);

test('one template by its id, none for an unknown one', covers('A1.templateId'), async () => {
  for (const path of [`${SOURCE}/${templateId('two')}`, `${SOURCE}/${templateId('two')}/`]) {
    const { success, templates } = await templatesOf(path);
    assert.equal(success, true);
    assert.deepEqual(
      templates.map(({ templateId }) => templateId),
      [templateId('two')],
    );
  }
  for (const unknown of ['1_972550000001_nosuch', 'x', encodeURIComponent('נ'), 'x'.repeat(400)]) {
    const { http, success, templates } = await templatesOf(`${SOURCE}/${unknown}`);
    assert.deepEqual([http, success, templates], [200, true, []], unknown);
  }
});

test(
  'a footer, both kinds of buttons, and a language that is not in the table',
  covers('A1.buttons, callToAction'),
  async () => {
    await chat.addTemplate(
      'both',
      {
        header: { kind: 'document', sample: 'https://www.example.com/sample.pdf' },
        footer: 'Small letters',
        buttons: [{ kind: 'reply', text: 'Yes' }, website('https://www.example.com/', false)],
      },
      { status: 10, language: 'xx_YY' },
    );
    const { templates } = await templatesOf(`${SOURCE}/${templateId('both')}`);
    const { footer, buttons, callToAction, callToActionWebsiteType, headers, status, language } =
      templates[0]!;
    assert.deepEqual(
      { footer, buttons, callToAction, callToActionWebsiteType, headers, status, language },
      {
        footer: 'Small letters',
        buttons: '4',
        callToAction: '1',
        callToActionWebsiteType: '1',
        headers: '4',
        status: 10,
        language: '0',
      },
    );
  },
);

test(
  'numbers of languages: the first four are fixed, and every number is unique',
  covers('A1.language'),
  () => {
    assert.deepEqual(['he', 'en', 'ar', 'ru'].map(languageNumber), ['1', '2', '3', '4']);
    for (const key of ['number', 'code'] as const) {
      assert.equal(new Set(languages.map((language) => language[key])).size, languages.length);
    }
  },
);

test('the number in any spelling', covers('A1.phone'), async () => {
  for (const spelling of ['+972550000001', '0550000001', '972-55-0000001', `${SOURCE}/`]) {
    assert.ok((await templatesOf(spelling)).templates.length >= 10, spelling);
  }
});

test(
  'a number that is not of the account has no templates; that of a subscriber has',
  covers('A1.phone.others'),
  async () => {
    const other = await chat.addAccount({ username: 'other' });
    const child = await chat.addAccount({ username: 'child', parentId: other.id });
    for (const [path, token] of [
      ['972550000002', undefined],
      ['x', undefined],
      ['%20', undefined],
      [SOURCE, other.token],
      [SOURCE, child.token],
    ] as const) {
      const answer = await templatesOf(path, token === undefined ? {} : { token });
      assert.deepEqual([answer.http, answer.success, answer.templates], [200, false, []], path);
      assert.match(answer.message, /^phone: /);
    }
    await chat.sql`UPDATE accounts SET parent_id = ${other.id} WHERE id = ${chat.demo.id}`;
    await waitFor('the number is a subscriber’s', async () => {
      const { success } = await templatesOf(SOURCE, { token: other.token });
      return success === true;
    });
    assert.ok((await templatesOf(SOURCE, { token: other.token })).templates.length >= 10);
    assert.equal((await templatesOf(SOURCE)).success, true);
    assert.equal((await templatesOf(SOURCE, { token: child.token })).success, false);
  },
);

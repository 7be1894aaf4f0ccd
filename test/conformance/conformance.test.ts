import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { templateStatus } from '../../server/carriers/chat-platform/template-status.ts';
import { buttonReasons, carouselReasons, templateReasons } from '../../server/interfaces/chat-api/reasons.ts';
import { done, FAULT, statusCodes } from '../../server/interfaces/sms-api/status-codes.ts';
import { knownStatuses } from '../../server/statuses.ts';
import { chapters } from './chapters.ts';
import { documentUrl, filesOfRows, writeDocument } from './document.ts';
import { chatButtons } from './rows/chat-buttons.ts';
import { chatCarousel } from './rows/chat-carousel.ts';
import { chatTemplateMessage } from './rows/chat-template-message.ts';
import { chatTemplateStates } from './rows/chat-template-states.ts';
import { deliveryStatuses } from './rows/delivery-statuses.ts';
import { requestStatuses } from './rows/request-statuses.ts';
import { titlesIn } from './titles.ts';

const rows = chapters.flatMap(({ title, bothForms, rows }) =>
  rows.map((row) => ({ ...row, bothForms, where: `${title}: ${row.id}` })),
);

test('rows name tests that there are', async () => {
  const titles = new Map<string, RegExp[]>();
  for (const file of filesOfRows()) {
    titles.set(file, titlesIn(await readFile(new URL(`../${file}.test.ts`, import.meta.url), 'utf8')));
  }
  const missing = rows.flatMap(({ where, shownBy }) =>
    shownBy.flatMap(({ file, tests }) =>
      tests
        .flat()
        .filter((name) => !titles.get(file)!.some((title) => title.test(name)))
        .map((name) => `${where}: ${file} has no "${name}"`),
    ),
  );
  assert.deepEqual([...new Set(missing)], []);
});

test('each row has a name of its own, and tests that show it', () => {
  for (const { title, rows } of chapters) {
    const ids = rows.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)], title);
  }
  for (const { where, bothForms, shownBy } of rows) {
    assert.ok(
      shownBy.some((evidence) => evidence.bothForms || !bothForms),
      `${where}: shown in ${bothForms ? 'both forms' : 'a form'} by no test`,
    );
  }
});

const idsOf = (chapter: (typeof chapters)[number]) => new Set(chapter.rows.map(({ id }) => id));

test('every reason of a chat message and every status of a template has a row', () => {
  for (const [chapter, { meanings }] of [
    [chatTemplateMessage, templateReasons],
    [chatButtons, buttonReasons],
    [chatCarousel, carouselReasons],
  ] as const) {
    for (const reason of meanings.keys())
      assert.ok(idsOf(chapter).has(String(reason)), `${chapter.title}: ${reason}`);
  }
  for (const status of Object.values(templateStatus)) {
    assert.ok(idsOf(chatTemplateStates).has(String(status)), `template status ${status} has no row`);
  }
});

test('every status of a request and of a delivery has a row', () => {
  const ofRequests = idsOf(requestStatuses);
  for (const status of [...Object.values(statusCodes), ...Object.values(done), FAULT]) {
    assert.ok(ofRequests.has(String(status)), `request status ${status} has no row`);
  }
  const ofDeliveries = idsOf(deliveryStatuses);
  for (const status of knownStatuses.keys()) {
    assert.ok(ofDeliveries.has(String(status)), `delivery status ${status} has no row`);
  }
});

test('docs/conformance.md is that of the rows, and all of them passed', async () => {
  const document = await readFile(documentUrl, 'utf8');
  assert.ok(document === writeDocument(() => true), 'make it anew with `npm run conformance`');
});

test('titles are read as they will be at run time', () => {
  const titles = titlesIn(`
    test('it\\'s one', () => {});
    test(
      \`\${form}: of both\`, async () => {});
    describe("a suite", () => { test(\`ids as \${a} and \${b}\`) });
    test(name, () => {}); t.test(\`\${name}\`, () => {});
    contest('no test');`);
  const known = (name: string) => titles.some((title) => title.test(name));
  for (const name of ["it's one", 'xml: of both', 'json: of both', 'a suite', 'ids as 1 and 2']) {
    assert.ok(known(name), name);
  }
  for (const name of [
    'it',
    'yaml: of both',
    'form: of both',
    'ids as and 2',
    'name',
    'no test',
    'anything',
  ]) {
    assert.ok(!known(name), name);
  }
});

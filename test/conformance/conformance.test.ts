import assert from 'node:assert/strict';
import { test } from 'node:test';
import { done, FAULT, statusCodes } from '../../server/api/sms/status-codes.ts';
import {
  buttonReasons,
  carouselReasons,
  templateReasons,
} from '../../server/channels/chat/chat-api/reasons.ts';
import { knownStatuses } from '../../server/kit/statuses.ts';
import { templateStatus } from '../../server/protocols/chat-platform/template-status.ts';
import { chapters } from './chapters.ts';
import { tagOf } from './document.ts';
import type { Chapter } from './row.ts';
import { chatButtons } from './rows/chat-buttons.ts';
import { chatCarousel } from './rows/chat-carousel.ts';
import { chatTemplateMessage } from './rows/chat-template-message.ts';
import { chatTemplateStates } from './rows/chat-template-states.ts';
import { deliveryStatuses } from './rows/delivery-statuses.ts';
import { requestStatuses } from './rows/request-statuses.ts';
import { coveredIn, filesWithRows } from './sources.ts';

// Of a run of all tests, test/run.ts asks more: each row is shown by a test that has passed.
test('each row is covered by a test, in both forms where its chapter asks for it', () => {
  const covered = filesWithRows().flatMap(coveredIn);
  const open = (chapters as readonly Chapter[]).flatMap(({ key, bothForms, rows }) =>
    rows
      .filter(
        ({ id }) => !covered.some((one) => one.row.test(`${key}.${id}`) && (one.bothForms || !bothForms)),
      )
      .map(({ id }) => `${key}.${id}`),
  );
  assert.deepEqual(open, []);
});

test('each row has a unique name', () => {
  const tags = (chapters as readonly Chapter[]).flatMap((chapter) =>
    chapter.rows.map((row) => tagOf(chapter, row)),
  );
  assert.deepEqual(
    tags.filter((tag, index) => tags.indexOf(tag) !== index),
    [],
  );
});

const idsOf = (chapter: Chapter) => new Set(chapter.rows.map(({ id }) => id));

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

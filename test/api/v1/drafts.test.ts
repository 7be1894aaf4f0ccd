import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_DRAFTS } from '../../../server/engine/campaigns/drafts.ts';
import { startTestService } from '../../support/service.ts';
import { asPerson, withToken } from './calls.ts';

/** `/v1/drafts`. */
const service = await startTestService();
const dana = await asPerson(service, 'sender', service.demo.id);
const noam = await asPerson(service, 'sender', service.demo.id);
const { person } = await noam.get<{ person: { name: string } }>('/session');

interface Draft {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly updated_by: string | null;
  readonly content?: Record<string, unknown>;
}
interface Refused {
  readonly error: { code: string; reason?: string; params?: Record<string, unknown> };
}

const content = {
  message: 'שלום',
  recipients: { kind: 'phones', typed: '' },
  links: [1, null],
};

test('a draft is saved, listed for everyone of the account, and deleted', async () => {
  const made = await dana.call<Draft>('POST', '/drafts', { channel: 'mail', title: 'Spring', content });
  assert.equal(made.version, 1);
  const saved = await noam.call<Draft>('PUT', `/drafts/${made.id}`, { version: 1, title: 'Summer', content });
  assert.equal(saved.version, 2);
  const { drafts } = await dana.call<{ drafts: Draft[] }>('GET', '/drafts');
  assert.deepEqual(
    drafts.map(({ id, title, updated_by }) => [id, title, updated_by]),
    [[made.id, 'Summer', person.name]],
  );
  assert.deepEqual((await dana.call<Draft>('GET', `/drafts/${made.id}`)).content, content);
  await dana.call('DELETE', `/drafts/${made.id}`);
  await dana.call('GET', `/drafts/${made.id}`, undefined, 404);
  await dana.call('DELETE', `/drafts/${made.id}`, undefined, 404);
  await dana.call('PUT', `/drafts/${made.id}`, { version: 2, content }, 404);
});

test('a save based on an outdated version is refused', async () => {
  const { id } = await dana.call<Draft>('POST', '/drafts', { channel: 'sms', content: { message: 'one' } });
  await noam.call('PUT', `/drafts/${id}`, { version: 1, content: { message: 'two' } });
  const body = { version: 1, content: { message: 'three' } };
  const { error } = await dana.call<Refused>('PUT', `/drafts/${id}`, body, 409);
  assert.deepEqual(
    [error.code, error.reason, error.params],
    ['not-now', 'changed-meanwhile', { by: person.name }],
  );
  assert.deepEqual((await dana.call<Draft>('GET', `/drafts/${id}`)).content, { message: 'two' });
  await dana.call('DELETE', `/drafts/${id}`);
});

test('a draft is of its account', async () => {
  const { id } = await dana.call<Draft>('POST', '/drafts', { channel: 'sms', content: {} });
  const other = withToken(service.url, (await service.addAccount({ username: 'other' }, 0)).token);
  assert.deepEqual(await other.get('/drafts'), { drafts: [] });
  await other.get(`/drafts/${id}`, 404);
  await dana.call('DELETE', `/drafts/${id}`);
});

test('drafts have limits: how large one is, and how many there are', async () => {
  const huge = { channel: 'sms', content: { message: 'x'.repeat(700_000) } };
  assert.equal((await dana.call<Refused>('POST', '/drafts', huge, 413)).error.code, 'too-large');
  await service.sql`
    INSERT INTO drafts (account_id, id, channel, title, content, version, updated_at)
    SELECT ${service.demo.id}, n, 0, '', '{}', 1, 0 FROM generate_series(1, ${MAX_DRAFTS}::int) n`;
  const { error } = await dana.call<Refused>('POST', '/drafts', { channel: 'sms', content: {} }, 409);
  assert.deepEqual([error.reason, error.params], ['too-many-drafts', { max: MAX_DRAFTS }]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_TEMPLATES } from '../../../server/channels/mail/saved-templates.ts';
import { startTestService } from '../../support/service.ts';
import { asPerson, withToken } from './calls.ts';

/** `/v1/mail/templates`. */
const service = await startTestService();
const dana = await asPerson(service, 'sender', service.demo.id);
const noam = await asPerson(service, 'sender', service.demo.id);
const viewer = await asPerson(service, 'viewer', service.demo.id);
const { person } = await noam.get<{ person: { name: string } }>('/session');

interface Template {
  readonly id: string;
  readonly name: string;
  readonly subject: string;
  readonly has_blocks: boolean;
  readonly version: number;
  readonly updated_by: string | null;
  readonly html?: string | null;
  readonly text?: string | null;
  readonly blocks?: Record<string, unknown> | null;
}
interface Refused {
  readonly error: { code: string; field?: string; reason?: string; params?: Record<string, unknown> };
}

const blocks = { version: 1, direction: 'rtl', blocks: [{ type: 'heading', text: 'שלום' }] };
const content = { subject: 'Hello {{FirstName}}', html: '<h1>שלום</h1>', text: 'שלום', blocks };
const named = (name: string) => ({ ...content, name });
const names = async (path = '/mail/templates') =>
  (await dana.get<{ templates: Template[] }>(path)).templates.map(({ name }) => name);

test('a mail template is saved, listed for everyone of the account, duplicated and deleted', async () => {
  const made = await dana.call<Template>('POST', '/mail/templates', named('Spring'));
  assert.deepEqual([made.version, made.has_blocks], [1, true]);
  const written = { version: 1, name: 'Summer', subject: 'Hot', html: '<p>Sun</p>', text: ' ' };
  const saved = await noam.call<Template>('PUT', `/mail/templates/${made.id}`, written);
  assert.deepEqual([saved.version, saved.updated_by, saved.has_blocks], [2, person.name, false]);
  const shown = await dana.get<Template>(`/mail/templates/${made.id}`);
  assert.deepEqual(
    [shown.name, shown.subject, shown.html, shown.text, shown.blocks],
    ['Summer', 'Hot', '<p>Sun</p>', null, null],
  );

  const other = await dana.call<Template>('POST', '/mail/templates', named('Winter'));
  const copied = await dana.call<Template>('POST', `/mail/templates/${other.id}/duplicate`, {
    name: 'Autumn',
  });
  assert.deepEqual((await dana.get<Template>(`/mail/templates/${copied.id}`)).blocks, blocks);
  assert.deepEqual(await names(), ['Autumn', 'Winter', 'Summer']);
  for (const { id } of [made, other, copied]) await dana.call('DELETE', `/mail/templates/${id}`);
  assert.deepEqual(await names(), []);
  await dana.call('DELETE', `/mail/templates/${made.id}`, undefined, 404);
  await dana.get(`/mail/templates/${made.id}`, 404);
  await dana.call('PUT', `/mail/templates/${made.id}`, { version: 2, ...named('Gone') }, 404);
  await dana.call('POST', `/mail/templates/${made.id}/duplicate`, { name: 'Gone' }, 404);
});

test('templates are found by a part of their name or subject, as it is written', async () => {
  const made = await Promise.all(
    [named('100% off'), { ...named('Sale'), subject: 'מבצע_קיץ' }, named('News')].map((body) =>
      dana.call<Template>('POST', '/mail/templates', body),
    ),
  );
  const found = (text: string) => names(`/mail/templates?search=${encodeURIComponent(text)}`);
  assert.deepEqual(await found('SAL'), ['Sale']);
  assert.deepEqual(await found('קיץ'), ['Sale']);
  assert.deepEqual(await found('%'), ['100% off']);
  assert.deepEqual(await found('_'), ['Sale']);
  assert.deepEqual(await found('nothing'), []);
  for (const { id } of made) await dana.call('DELETE', `/mail/templates/${id}`);
});

test('a save based on an outdated version is refused', async () => {
  const { id } = await dana.call<Template>('POST', '/mail/templates', named('One'));
  await noam.call('PUT', `/mail/templates/${id}`, { version: 1, ...named('Two') });
  const { error } = await dana.call<Refused>(
    'PUT',
    `/mail/templates/${id}`,
    { version: 1, ...named('Three') },
    409,
  );
  assert.deepEqual(
    [error.code, error.reason, error.params],
    ['not-now', 'changed-meanwhile', { by: person.name }],
  );
  assert.equal((await dana.get<Template>(`/mail/templates/${id}`)).name, 'Two');
  await dana.call('DELETE', `/mail/templates/${id}`);
});

test('a template is of its account, and a viewer sees its name alone', async () => {
  const { id } = await dana.call<Template>('POST', '/mail/templates', named('Ours'));
  const other = withToken(service.url, (await service.addAccount({ username: 'other' }, 0)).token);
  assert.deepEqual(await other.get('/mail/templates'), { templates: [] });
  await other.get(`/mail/templates/${id}`, 404);
  await other.call('DELETE', `/mail/templates/${id}`, undefined, 404);

  const seen = await viewer.get<Template>(`/mail/templates/${id}`);
  assert.deepEqual(
    [seen.name, seen.subject, seen.html, seen.text, seen.blocks],
    ['Ours', '••••••', null, null, null],
  );
  await viewer.call('POST', '/mail/templates', named('Theirs'), 403);
  await viewer.call('DELETE', `/mail/templates/${id}`, undefined, 403);
  await dana.call('DELETE', `/mail/templates/${id}`);
});

test('what is missing, wrong or too much is refused by the name of its field, and nothing is stored', async () => {
  const refused = (body: object) => dana.refused('POST', '/mail/templates', body);
  assert.deepEqual(await refused({ ...content, name: ' ' }), ['bad-field', 'name', 400]);
  assert.deepEqual(await refused({ name: 'x', html: ' ', text: null }), ['bad-field', 'text', 400]);
  assert.deepEqual(await refused({ ...named('x'), html: 'a'.repeat(400_001) }), ['bad-field', 'html', 400]);
  assert.deepEqual(await refused({ ...named('x'), text: 'nul\0' }), ['bad-field', 'text', 400]);
  assert.deepEqual(await refused({ ...named('x'), subject: 'a'.repeat(251) }), ['bad-field', 'subject', 400]);
  assert.deepEqual(await refused({ ...named('x'), blocks: [] }), ['bad-field', 'blocks', 400]);
  const huge = { ...named('x'), blocks: { text: 'x'.repeat(300_000) } };
  assert.deepEqual(await refused(huge), ['too-large', 'blocks', 413]);
  assert.deepEqual(await names(), []);

  await service.sql`
    INSERT INTO mail_templates (account_id, id, name, subject, text, version, created_at, updated_at)
    SELECT ${service.demo.id}, n, 'n', '', 'n', 1, 0, 0 FROM generate_series(1, ${MAX_TEMPLATES}::int) n`;
  const { error } = await dana.call<Refused>('POST', '/mail/templates', named('x'), 409);
  assert.deepEqual([error.reason, error.params], ['too-many-mail-templates', { max: MAX_TEMPLATES }]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModules } from '../../../server/run/modules.ts';
import { startTestService } from '../../support/service.ts';

/* Rows of a process of the previous version get one item each, unless that process works on them now. */

const service = await startTestService({ sandbox: false });
const { sql } = service;
const { ids, clock } = service.appContext;
const { work } = await openModules(service.appContext, ['api'], undefined);
const { id: accountId } = await service.addAccount({ username: 'old' });

/** Stores what the version before does, for each kind; `until` is the end of a lease. Returns its key. */
const stored: Readonly<Record<string, (until: number) => Promise<number>>> = {
  async alert(until) {
    const id = ids.next();
    await sql`
      INSERT INTO alert_notifications (account_id, id, rule_id, rule_name, phase, means, recipient, language, incident_ids,
        alerts, sender_id, state, due_at, created_at)
      VALUES (${accountId}, ${id}, 1, '', 'test', 'mail', 'dana@example.com', 'en', '{}', '[]', ${accountId}, 'waiting',
        ${until}, 0)`;
    return id;
  },
  async 'alert-contact'(until) {
    const id = ids.next();
    await sql`
      INSERT INTO alert_contacts (account_id, id, means, recipient, language, asked_at, due_at)
      VALUES (${accountId}, ${id}, 'mail', ${`${id}@example.com`}, 'en', 0, ${until})`;
    return id;
  },
  async 'automatic-reply'(until) {
    const id = ids.next();
    await sql`
      INSERT INTO conversation_tasks (account_id, id, conversation_id, text, due_at)
      VALUES (${accountId}, ${id}, 1, 'Hello', ${until})`;
    return id;
  },
  async campaign(until) {
    const id = ids.next();
    await sql`
      INSERT INTO campaigns (account_id, id, channel, sender, content, place, total, remaining, held, next_at, lease_until)
      VALUES (${accountId}, ${id}, 0, '', '{}', '{}', 1, 1, 0, 0, ${until})`;
    return id;
  },
  async 'csv-job'(until) {
    const id = ids.next();
    await sql`
      INSERT INTO csv_jobs (account_id, id, kind, list_id, state, created_at, lease_owner, lease_until)
      VALUES (${accountId}, ${id}, 'export', 1, 'waiting', 0, 'old', ${until})`;
    return id;
  },
  async 'data-subject-request'(until) {
    const id = ids.next();
    await sql`
      INSERT INTO data_subject_requests (account_id, id, kind, digests, reference, counts, created_at, due_at, lease_until)
      VALUES (${accountId}, ${id}, 'export', '{}', '', '{}', 0, 0, ${until})`;
    return id;
  },
  async 'media-fetch'(until) {
    const id = ids.next();
    await sql`
      INSERT INTO media (account_id, id, kind, state, mime_type, file_name, sha256, origin, origin_number, origin_id, problem,
        detail, attempts, due_at, lease_until)
      VALUES (${accountId}, ${id}, 'image', 0, '', '', '', '', '', '', '', '', 0, 0, ${until})`;
    return id;
  },
  async 'template-submission'(until) {
    const id = ids.next();
    await sql`
      INSERT INTO chat_template_submissions (account_id, id, attempts, due_at, uncertain, problem, lease_until)
      VALUES (${accountId}, ${id}, 1, 0, true, '', ${until})`;
    return id;
  },
};

/** Kinds whose rows are not leased: each is done in the transaction that takes it. */
const unleased = ['mail-confirmation'];
/** Kinds that ask again in any case, those with rows of the operator only, and those that the previous version does not have. */
const withoutRows = ['template-sync', 'operator-alert', 'fallback'];

test('every kind is in this test', () => {
  const kinds = [...Object.keys(stored), ...unleased, ...withoutRows];
  assert.deepEqual(work.workers.map(({ kind }) => kind).sort(), kinds.sort());
});

for (const [kind, store] of Object.entries(stored)) {
  test(`${kind}: a waiting row gets one item, and a leased row none`, async () => {
    const waiting = await store(0);
    await store(clock.now() + 600_000);
    const items = async () => [
      ...(await sql<
        { key: number; lease_epoch: number }[]
      >`SELECT key, lease_epoch FROM work WHERE kind = ${kind}`),
    ];
    await work.adopt();
    assert.deepEqual(await items(), [{ key: waiting, lease_epoch: 0 }]);
    await sql`UPDATE work SET lease_epoch = 1 WHERE kind = ${kind}`;
    await work.adopt();
    assert.deepEqual(await items(), [{ key: waiting, lease_epoch: 1 }]);
    await sql`DELETE FROM work WHERE kind = ${kind}`;
    await work.adopt();
    assert.deepEqual(
      await items(),
      [],
      'the version before does not see it any more, and neither does this one',
    );
  });
}

test('mail-confirmation: an account with waiting confirmations gets one item', async () => {
  await sql`
    INSERT INTO mail_confirmations (account_id, filling_id, user_id, requested_at, due_at) VALUES (${accountId}, 1, 1, 0, 0)`;
  await work.adopt();
  const items = await sql<{ key: number }[]>`SELECT key FROM work WHERE kind = 'mail-confirmation'`;
  assert.deepEqual([...items], [{ key: 0 }]);
});

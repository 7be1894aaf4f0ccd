import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../../server/api/sms/operations/index.ts';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { assertBooksBalance } from '../../support/books.ts';
import { newPhone, stored } from '../../support/phones.ts';
import { type Answer, type Content, type Form, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { succeeded } from './good-requests.ts';

/*
 * No account ever sees or touches another's data. Every operation there is, is tried by a stranger and by a subscriber,
 * with their own tokens: in the name of others, and in their own name with the ids, names and phones of others. An
 * operation without an attack fails the test.
 */
const service = await startTestService({ settings: { VERIFY_SOURCES: 'on' } });
const { sql } = service;
const { sources, clock } = service.appContext;

/** Counting rests the longer the busier the machine is. */
const COUNTED_MS = 90_000;

type User = Awaited<ReturnType<typeof service.addAccount>>;

/** What the owner has, and nobody else may see or change. */
type Belongings = Awaited<ReturnType<typeof furnish>>;

/** One try at what belongs to another. */
interface Attack {
  readonly content: Content;
  /** What the attackers get: a stranger, and a subscriber of the owner. */
  readonly status: number | { readonly stranger: number; readonly subscriber: number };
  readonly check?: (answer: Answer, attacker: User) => unknown;
  /** What the owner gets for the same request, which shows that the attack was a real one. */
  readonly own?: (answer: Answer) => unknown;
}

function attacksOn(things: Belongings): Record<string, readonly Attack[]> {
  const { owner, sibling, listId, span } = things;
  const destinations = { phone: newPhone() };
  const message = 'Hello';
  const toList = { destinations: { cl_id: listId }, message };
  const fromOthers = [things.verified, things.senderName].map((source) => ({
    source,
    destinations,
    message,
  }));
  const onlyParents = (stranger: number) => ({ stranger, subscriber: 511 });
  const status = (wanted: number) => (answer: Answer) => assert.equal(answer.status, wanted, answer.message);
  const shows = (mark: string) => (answer: Answer) => {
    assert.equal(answer.status, 0, answer.message);
    assert.ok(JSON.stringify(answer.fields).includes(mark), `the owner does not see ${mark}`);
  };
  const says = (message: RegExp) => (answer: Answer) => assert.match(answer.message, message);
  const empty = (field: string) => (answer: Answer) => assert.deepEqual(answer.fields[field], []);
  const errors = (pattern: RegExp) => (answer: Answer) =>
    assert.match((answer.fields.errors as string[]).join(), pattern);
  const noList = errors(/no such contact list/);
  const contact = { destination: { phone: newPhone() } };

  return {
    sms: [
      { content: { source: 'Mine', ...toList }, status: 988 },
      ...fromOthers.map((content) => ({ content, status: 515, own: status(0) })),
    ],
    bulk: [
      {
        content: { messages: { sms: [{ source: 'Mine', destinations, message }] }, cl_id: listId },
        status: 988,
      },
      { content: { messages: { sms: [{ source: 'Mine', ...toList }] } }, status: 988 },
      ...fromOthers.map((sms) => ({ content: { messages: { sms: [sms] } }, status: 515, own: status(0) })),
    ],
    dlr: [
      {
        content: { transactions: { external_id: [things.externalId] }, ...span },
        status: 0,
        check: empty('transactions'),
        own: shows(things.shipmentId),
      },
    ],
    dlrByDate: [
      {
        content: { transactions: { external_id: 'null' }, ...span },
        status: 0,
        own: shows(things.externalId),
      },
    ],
    ttsDlr: [
      {
        content: { shipment_id: things.scheduledId, ...span },
        status: 0,
        check: empty('transactions'),
        own: shows(things.scheduledId),
      },
    ],
    incoming: [{ content: span, status: 0, check: empty('transactions'), own: shows(things.incomingText) }],
    balance: [
      {
        content: {},
        status: 0,
        check: async (answer, attacker) =>
          assert.equal(Number(answer.fields.balance), await service.balance(attacker.id)),
      },
    ],
    getApiToken: [owner, sibling].flatMap(({ username }) =>
      ['new', 'current'].map((action) => ({
        content: { username, action },
        status: 503,
        own: status(0),
      })),
    ),
    cancel: [
      { content: { campaign_id: things.shipmentId }, status: 977, own: status(966) },
      { content: { campaign_id: things.scheduledId }, status: 977 },
      { content: { campaign_name: things.campaignName }, status: 977, own: status(0) },
    ],
    blacklist: [{ content: span, status: 0, check: empty('transactions'), own: shows(things.blocked[0]) }],
    addNumBL: [
      {
        content: { phones: { phone: things.blocked[0] } },
        status: 946,
        check: says(/1 numbers added|0 numbers added, 1 present/),
        own: says(/0 numbers added/),
      },
    ],
    rmNumBL: [
      {
        content: { phones: { phone: things.blocked[1] }, reason: 'because' },
        status: 944,
        check: says(/0 numbers removed/),
        own: says(/1 numbers removed/),
      },
    ],
    newCL: [
      {
        content: { cl: { name: 'A list of mine', destinations: contact } },
        status: 0,
        check: (answer) => assert.ok(!(answer.fields.identifiers as string[]).includes(listId)),
      },
    ],
    removeCL: [
      { content: { cl: { id: things.listToRemove } }, status: 0, check: noList, own: empty('errors') },
    ],
    addNumCL: [
      {
        content: { cl: { id: listId, destinations: contact } },
        status: 0,
        check: noList,
        own: empty('errors'),
      },
    ],
    rmNumCL: [
      {
        content: { cl: { id: listId, destinations: { phone: things.listed } } },
        status: 0,
        check: noList,
        own: empty('errors'),
      },
    ],
    getCL: [{ content: {}, status: 0, own: shows(things.listName) }],
    getCLbyID: [{ content: { cl: { id: listId } }, status: 988, own: shows(things.listName) }],
    send_otp: [
      { content: { phone: newPhone(), source: things.verified }, status: 515, own: status(0) },
      // A code of the attacker's, which takes nothing from the one that the owner sent to the same phone.
      { content: { phone: things.codePhone, source: 'Mine' }, status: 0 },
    ],
    validate_otp: [{ content: { phone: things.codePhone, code: things.code }, status: 12, own: status(0) }],
    addSub: [owner, sibling].map(({ username }) => ({
      content: {
        userDetails: { name: 'Mine', username, password: 'a word of mine', source: 'Mine', amount: 0 },
      },
      status: onlyParents(994),
    })),
    updateAmountSub: [
      { content: { userDetails: { username: owner.username, amount: -1 } }, status: onlyParents(503) },
      {
        content: { userDetails: { username: sibling.username, amount: -1 } },
        status: onlyParents(503),
        own: status(0),
      },
    ],
    getBlanceSubs: [{ content: {}, status: onlyParents(0), own: shows(String(sibling.id)) }],
    verify_phone: [{ content: { phone: things.pending }, status: 0 }],
    getVerifiedPhones: [
      { content: { is_subs: 1 }, status: 0, check: empty('verified_phones'), own: shows(things.verified) },
    ],
    push_url: [{ content: { type: 'dlr', url: things.url }, status: 0, own: status(517) }],
  };
}

let made = 0;

/** An owner with a subscriber of its own, and with something of everything there is. */
async function furnish() {
  const name = `owner-${++made}`;
  const owner = await service.addAccount({ username: name, name: `${name} & Co` });
  const sibling = await service.addAccount({
    username: `${name}-sub`,
    name: `${name} branch`,
    parentId: owner.id,
  });
  let asked = 0;
  const ask = async (root: string, content: Content): Promise<Answer> => {
    asked += 1;
    const user = { username: owner.username };
    const answer = await service.call('json', root, { user, ...content }, { token: owner.token });
    assert.ok([0, 946].includes(answer.status), `${root}: ${answer.message}`);
    return answer;
  };
  const now = clock.now();
  const zone = 'Asia/Jerusalem';
  const things = {
    owner,
    sibling,
    senderName: `Sender${made}`,
    verified: newPhone(),
    siblingVerified: newPhone(),
    pending: newPhone(),
    listed: newPhone(),
    listName: `${name} customers`,
    externalId: `${name}-order`,
    sentTo: newPhone(),
    text: `${name} has a secret`,
    campaignName: `${name} later`,
    incomingText: `${name} was asked`,
    blocked: [newPhone(), newPhone()] as const,
    codePhone: newPhone(),
    url: `https://${name}.example.com/push`,
    span: { from: formatLocal(now - 3_600_000, zone), to: formatLocal(now + 3_600_000, zone) },
  };
  await sources.approve(owner.id, things.senderName);
  await sources.approve(owner.id, things.verified, { incoming: true });
  await sources.approve(sibling.id, things.siblingVerified);
  const lists = await ask('newCL', {
    cl: [
      { name: things.listName, destinations: { destination: [{ phone: things.listed, df1: 'Zohar' }] } },
      { name: `${name} former`, destinations: { destination: [{ phone: things.listed }] } },
    ],
  });
  await ask('addNumBL', { phones: { phone: [...things.blocked] } });
  await ask('verify_phone', { phone: things.pending });
  await ask('send_otp', { phone: things.codePhone, source: things.senderName });
  const code = await waitFor('the code to arrive', async () => {
    const [sms] = await service.phone(things.codePhone);
    return sms && /\d{6}/.exec(sms.text)?.[0];
  });
  const sms = { source: things.senderName, message: things.text };
  const sent = await ask('sms', {
    ...sms,
    destinations: { phone: { $: { id: things.externalId }, _: things.sentTo } },
  });
  const scheduled = await ask('sms', {
    ...sms,
    destinations: { phone: newPhone() },
    timing: formatLocal(now + 86_400_000, zone),
    campaign_name: things.campaignName,
    tts: { type: 3 },
  });
  await service.sendFromPhone(newPhone(), things.verified, things.incomingText);
  await waitFor('all of it to have come to rest', async () => {
    const [row] = await sql<{ rest: boolean }[]>`
      SELECT (SELECT count(*) FROM incoming WHERE account_id = ${owner.id}) = 1
        AND (SELECT count(*) FROM dispatch_batches WHERE account_id = ${owner.id}) = 2
        AND (SELECT count(*) FROM messages WHERE account_id = ${owner.id} AND status = -1) = 2 AS rest`;
    return row!.rest;
  });
  // Last, since what happened before is not to be pushed.
  await ask('push_url', { type: 'dlr', url: things.url });
  await logged([owner.id], asked);
  await waitFor(
    'its messages to be counted as they are',
    async () => {
      const [row] = await sql<{ counted: boolean }[]>`
      SELECT (SELECT array[sum(waiting)::int, sum(delivered)::int] FROM message_hours WHERE account_id = ${owner.id})
        = (SELECT array[count(*) FILTER (WHERE status = -1)::int, count(*) FILTER (WHERE status = 102)::int]
          FROM messages WHERE account_id = ${owner.id}) AS counted`;
      return row!.counted;
    },
    COUNTED_MS,
  );
  await waitFor('new accounts have their first alert rules', async () => {
    const rows = await sql`SELECT FROM alert_defaults WHERE account_id IN (${owner.id}, ${sibling.id})`;
    return rows.length === 2;
  });
  const [listId, listToRemove] = lists.fields.identifiers as [string, string];
  const shipmentId = String(sent.fields.shipment_id);
  return {
    ...things,
    listId,
    listToRemove,
    shipmentId,
    scheduledId: String(scheduled.fields.shipment_id),
    code,
  };
}

/** Waits until the request log has so many requests of these accounts: it is written a second later. */
async function logged(accountIds: readonly number[], count: number): Promise<void> {
  await waitFor('their requests to be in the log', async () => {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM request_log WHERE account_id IN ${sql(accountIds)}`;
    return row!.count === count;
  });
}

/** What was done last, and what is yet to be done, about rows that follow from others: these come and go by themselves. */
const followers: Readonly<Record<string, string>> = {
  message_hours: `to_jsonb(t) - 'counted_at'`,
  message_hours_changed: 'NULL',
  // Written some seconds after the owner's own requests.
  tokens: `to_jsonb(t) - 'last_used_at'`,
};

/** Every row of every table that is of these accounts. */
async function rowsOf(accountIds: readonly number[]): Promise<Record<string, unknown>> {
  const tables = await sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id'
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`;
  assert.ok(tables.length > 15, 'the tables were not found');
  const kept: Record<string, unknown> = {};
  for (const [name, column] of [...tables.map((table) => [table.name, 'account_id']), ['accounts', 'id']]) {
    const shown = followers[name!] ?? 'to_jsonb(t)';
    const rows = await sql.unsafe(
      `SELECT ${shown} AS row FROM ${name} t WHERE ${column} IN (${accountIds.join()}) ORDER BY 1`,
    );
    kept[name!] = rows.map(({ row }) => row).filter((row) => row !== null);
  }
  return kept;
}

/** Values by which the owner's data would be known in an answer. */
function marksOf(things: Belongings): string[] {
  const { owner, sibling, blocked, span, ...rest } = things;
  const values = [
    ...Object.values(rest),
    ...blocked,
    ...[owner, sibling].flatMap(({ id, name, token }) => [String(id), name, token]),
  ];
  return values.flatMap((value) => (/^05\d{8}$/.test(value) ? [value, stored(value)] : value));
}

for (const form of forms) {
  const call = (account: User, root: string, content: Content, user = account.username, path = '/api') =>
    service.call(form, root, { user: { username: user }, ...content }, { token: account.token, path });

  test(
    `${form}: every operation leaves what is another's alone`,
    covers('B2.source', 'B4.source', 'B7.isolation', 'operations.dry run'),
    async (t) => {
      const things = await furnish();
      const { owner, sibling } = things;
      const attackers = await enter(form, owner);
      const attacks = attacksOn(things);
      const marks = marksOf(things);
      const before = await rowsOf([owner.id, sibling.id]);
      let tries = 0;

      for (const { roots } of operations) {
        const root = roots[0]!;
        await t.test(root, async () => {
          const tried = attacks[root];
          assert.ok(tried, 'an operation without an attack: write one in attacksOn');
          for (const attack of tried) {
            for (const attacker of attackers) {
              for (const path of ['/api/test', '/api']) await check(attack, root, attacker, path);
            }
          }
          assert.deepEqual(await rowsOf([owner.id, sibling.id]), before);
        });
      }

      await t.test(
        'what was tried is in the request log of those who tried it, and of nobody else',
        async () => {
          await logged(
            attackers.map(({ id }) => id),
            tries,
          );
          assert.deepEqual(await rowsOf([owner.id, sibling.id]), before);
        },
      );

      await t.test('the owner gets what the others did not', async () => {
        for (const { roots } of operations) {
          for (const attack of attacks[roots[0]!] ?? []) {
            if (attack.own) await attack.own(await call(owner, roots[0]!, attack.content));
          }
        }
      });
      await assertBooksBalance(sql);

      async function check(
        { content, status, check: checkMore }: Attack,
        root: string,
        attacker: User,
        path: string,
      ) {
        const what = `${path} ${attacker.parentId === null ? 'stranger' : 'subscriber'} ${JSON.stringify(content)}`;
        const wanted =
          typeof status === 'number'
            ? status
            : attacker.parentId === null
              ? status.stranger
              : status.subscriber;
        for (const name of [owner.username, sibling.username]) {
          const refused = await call(attacker, root, content, name, path);
          assert.equal(refused.status, 11, `in the name of ${name}, ${what}: ${refused.message}`);
          assert.deepEqual(Object.keys(refused.fields), ['status', 'message']);
        }
        tries += 1;
        const answer = await call(attacker, root, content, attacker.username, path);
        assert.equal(answer.http, 200, what);
        assert.equal(answer.status, wanted, `${what}: ${answer.message}`);
        if (!succeeded.has(wanted)) assert.deepEqual(Object.keys(answer.fields), ['status', 'message']);
        const shown = JSON.stringify(answer.fields);
        const sent = JSON.stringify(content);
        const seen = marks.filter((mark) => shown.includes(mark) && !sent.includes(mark));
        assert.deepEqual(seen, [], what);
        if (succeeded.has(wanted)) await checkMore?.(answer, attacker);
      }
    },
  );

  test(
    `${form}: an account's own token is for it and its subscribers only, upwards and sideways it is not`,
    covers('signIn.token.others'),
    async () => {
      const [owner, stranger] = [
        await service.addAccount({ username: `up-${form}` }),
        await service.addAccount({ username: `side-${form}` }),
      ];
      const child = await service.addAccount({ username: `down-${form}`, parentId: owner.id });
      for (const [account, name, status] of [
        [owner, owner, 0],
        [owner, child, 0],
        [child, child, 0],
        [child, owner, 11],
        [child, stranger, 11],
        [stranger, owner, 11],
        [stranger, child, 11],
        [owner, stranger, 11],
      ] as const) {
        const answer = await call(account, 'balance', {}, name.username);
        assert.equal(answer.status, status, `${account.username} for ${name.username}`);
      }
    },
  );
}

/** A stranger and a subscriber of the owner, who have a sender of their own and nothing else. */
async function enter(form: Form, owner: User): Promise<User[]> {
  const attackers = [
    await service.addAccount({ username: `stranger-${form}` }),
    await service.addAccount({ username: `sub-${form}`, parentId: owner.id }),
  ];
  for (const { id } of attackers) await sources.approve(id, 'Mine');
  return attackers;
}

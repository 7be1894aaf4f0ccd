import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MailTokens } from '../../../server/channels/mail/tokens.ts';
import { hashPassword } from '../../../server/modules/passwords/hashes.ts';
import { covers } from '../../conformance/covers.ts';
import { DEMO_PASSWORD, startTestService } from '../../support/service.ts';
import { startMail } from './support.ts';

const mail = await startMail();
const { post, done, refused, sql, demo } = mail;

const sign = (siteID: unknown, password: unknown = DEMO_PASSWORD) =>
  post('token', { siteID, password }, { token: null });
const lists = (token: string) => post('GetMailingListNames', '', { token });

describe('POST token', () => {
  test('by the user name or the id of an account, with its password', covers('C.token'), async () => {
    for (const siteID of ['demo', ' demo ', String(demo.id), demo.id]) {
      const { json } = await done(sign(siteID));
      assert.deepEqual(Object.keys(json).sort(), ['Token', 'res', 'result', 'success']);
      assert.match(json.Token as string, /^\S{40,}$/);
      await done(lists(json.Token as string));
      await done(lists(`Bearer ${json.Token}`));
    }
    const [row] =
      await sql`SELECT count(*)::int AS count FROM tokens WHERE label = 'password' AND length(digest) = 32`;
    assert.equal(row!.count, 4, 'digests alone are kept');
  });

  test('it is good for 12 hours', covers('C.token', 'C.401'), async () => {
    const token = (await done(sign('demo'))).json.Token as string;
    await mail.advance(12 * 3_600 - 60);
    await done(lists(token));
    await mail.advance(60);
    await refused(() => lists(token), 401, /expired/);
  });

  test(
    'wrong and missing values have different errors, and return no token',
    covers('C.token', 'amendments.mail API'),
    async () => {
      const account = await mail.addAccount({ username: 'without-password' });
      for (const [siteID, password] of [
        ['demo', 'wrong'],
        ['nobody', DEMO_PASSWORD],
        ['99999999', DEMO_PASSWORD],
        [account.username, DEMO_PASSWORD],
      ]) {
        const { json } = await refused(() => sign(siteID, password), 401, /siteID or password is wrong/);
        assert.equal(json.Token, '');
        assert.match(json.Message as string, /siteID or password is wrong/);
      }
      const { json, message } = await lists('no-such-token');
      assert.equal(json.Message, message);
      for (const [body, message] of [
        ['', /the body: missing/],
        ['[]', /the body: must be an object/],
        [{}, /siteID: missing/],
        [{ siteID: 'demo' }, /password: missing/],
        [{ siteID: 'demo', password: 7 }, /password: must be a text/],
        [{ siteID: { a: 1 }, password: 'x' }, /siteID: must be a text/],
        [{ siteID: 'x'.repeat(201), password: 'x' }, /siteID: over 200 characters/],
        [{ siteID: 'demo', password: 'x'.repeat(201) }, /password: over 200 characters/],
      ] as const) {
        const { json } = await refused(() => post('token', body, { token: null }), 400, message);
        assert.equal(json.Token, '');
      }
    },
  );

  test('only from the addresses that the account is used from', async () => {
    const passwordHash = await hashPassword('a password of theirs');
    await mail.addAccount({
      username: 'elsewhere',
      passwordHash,
      passwordSignIn: true,
      addresses: ['192.0.2.0/24'],
    });
    await mail.addAccount({
      username: 'here',
      passwordHash,
      passwordSignIn: true,
      addresses: ['127.0.0.0/8'],
    });
    await refused(() => sign('elsewhere', 'a password of theirs'), 401, /wrong/);
    await done(sign('here', 'a password of theirs'));
  });
});

describe('what is not the fault of the caller', () => {
  /** Lets the insertion of lists fail with an error of this class while `work` runs. */
  async function failing(code: string, work: () => Promise<void>): Promise<void> {
    await sql.unsafe(`
      CREATE FUNCTION fail() RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'a test' USING ERRCODE = '${code}'; END $$`);
    // A distributed table has no triggers.
    await sql.unsafe('ALTER TABLE mail_lists ADD CONSTRAINT mail_lists_fail_check CHECK (fail()) NOT VALID');
    try {
      await work();
    } finally {
      await sql.unsafe('ALTER TABLE mail_lists DROP CONSTRAINT mail_lists_fail_check');
      await sql.unsafe('DROP FUNCTION fail()');
    }
  }
  const create = () => post('CreateMalingList', { IsNewList: true, NewListName: 'x' });

  test('530 while the database takes nothing, and the same is done afterwards', covers('C.530'), async () => {
    await failing('53100', async () => void (await refused(create, 530, /try again/)));
    await done(create());
  });

  test('500 for a fault, with the request to quote', covers('C.500'), async () => {
    await failing('P0001', async () => void (await refused(create, 500, /quote request/, 500)));
  });
});

test('over the rate limit it is 530 and HTTP 429, with when to try again', covers('C.530'), async () => {
  const limited = await startTestService({ sandbox: false, settings: { RATE_LIMIT_ACCOUNT: '2' } });
  const account = await limited.addAccount({ username: 'hasty' });
  const tokens = new MailTokens({ ...limited.appContext, sql: limited.sql });
  const { token } = await tokens.lasting.mint(account.id);
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const response = await fetch(`${limited.url}/api/Mailer/GetMailingListNames`, {
        method: 'POST',
        headers: { authorization: token },
      });
      const { result } = (await response.json()) as { result: { ResultID: number } };
      return { id: result.ResultID, http: response.status, retry: response.headers.get('retry-after') };
    }),
  );
  const over = answers.filter(({ http }) => http === 429);
  assert.ok(over.length > 0 && over.length < 12, JSON.stringify(answers));
  for (const { id, retry } of over) assert.deepEqual([id, /^\d+$/.test(retry ?? '')], [530, true]);
});

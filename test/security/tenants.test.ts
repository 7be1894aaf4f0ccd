import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { good } from '../api/sms/good-requests.ts';
import { MAIL_TOKEN } from '../channels/mail-api/support.ts';
import { openDescription } from '../docs/openapi-support.ts';
import { type Call, type Fields, openCases } from '../docs/v1-cases.ts';
import { newPhone } from '../support/phones.ts';
import { sendRequest } from '../support/send-request.ts';
import { DEMO_TOKEN, forms, startTestService } from '../support/service.ts';

/*
 * One account reads or changes what another has: with ids, names and user names of the other in every operation of
 * every API, as a stranger and as a subscriber of the other. What each operation of `POST /api` writes for whom is
 * looked at row by row in test/api/sms/isolation.test.ts.
 */

const phoneTime = Date.now();
const service = await startTestService({
  settings: { CARILLON_DEMO_MAIL_TOKEN: MAIL_TOKEN },
  phoneClock: { now: () => phoneTime },
});
const { url, sql } = service;
const cases = await openCases(service, phoneTime);
const { operations } = await openDescription(url);
const stranger = await service.addAccount({ username: 'stranger' });
const subscriber = await service.addAccount({ username: 'subscriber', parentId: service.demo.id });
const strangersChild = await service.addAccount({ username: 'strangers-child', parentId: stranger.id });
const attackers = { 'a stranger': stranger, 'a subscriber': subscriber };

for (const form of forms) {
  describe(`by POST /api, ${form}`, () => {
    for (const [root, request] of Object.entries(good)) {
      test(`${root} in the name of others, who may be there or not`, async () => {
        for (const [attacker, names] of [
          [stranger, ['demo', 'subscriber', 'DEMO', 'nobody']],
          [subscriber, ['demo', 'stranger', 'nobody']],
          [strangersChild, ['stranger', 'demo', 'nobody']],
        ] as const) {
          const answers = new Set<string>();
          for (const username of names) {
            const content = { ...request(), user: { username } };
            const { status, fields } = await service.call(form, root, content, { token: attacker.token });
            assert.equal(status, 11, `${attacker.username} as ${username}`);
            answers.add(JSON.stringify(fields));
          }
          assert.equal(answers.size, 1, 'who is there is not told from who is not');
        }
      });
    }
  });
}

describe('by /v1', () => {
  for (const { path, method, operation } of operations.filter((one) => one.path.startsWith('/v1/'))) {
    const { operationId, parameters = [], requestBody, security } = operation;
    const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    const example = type === 'application/json' ? (content!.example as Fields) : undefined;
    const takesTokens = !security || security.some((scheme) => 'token' in scheme);
    const namesAccounts = parameters.some(({ name }) => name === 'username');
    if (!takesTokens || !(path.includes('{id}') || namesAccounts)) continue;

    test(`${method.toUpperCase()} ${path}`, async () => {
      const call: Call = await cases.callOf(path, operationId, example);
      const body = example ? JSON.stringify(call.body ?? example) : (content?.example as string | undefined);
      async function ask(token: string, id: string, username?: string): Promise<[number, string]> {
        const where = new URL(path.replace('{id}', id), url);
        for (const { name, in: place, required, schema } of parameters) {
          if (place === 'query' && required) {
            where.searchParams.set(name, String(schema.examples?.[0] ?? schema.enum?.[0]));
          }
        }
        if (username) where.searchParams.set('username', username);
        const { status, text } = await sendRequest(where, {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${token}`, ...(type !== undefined && { 'content-type': type }) },
          body,
        });
        return [status, text];
      }
      for (const [who, { token }] of Object.entries(attackers)) {
        if (namesAccounts) {
          const [status, text] = await ask(token, call.id ?? '1', 'demo');
          assert.equal(status, 403, `${who}: ${text}`);
        }
        if (!path.includes('{id}')) continue;
        const theirs = await ask(token, call.id!);
        const nobodys = await ask(token, '2000000000');
        // What is not for tokens of this sort at all is refused before anything is looked for.
        assert.ok(theirs[0] === 404 || theirs[0] === 403 || theirs[0] === 400, `${who}: ${theirs.join(' ')}`);
        const seen = [theirs[0], theirs[1].replaceAll(call.id!, '2000000000')];
        assert.deepEqual(seen, nobodys, `${who} sees that there is something of another with this id`);
      }
    });
  }

  test('a user name twice in the query: the own one for the check, another for the work', async () => {
    for (const query of [
      'username=subscriber&username=demo',
      'username=demo&username=subscriber',
      'username[]=demo&username=subscriber',
      'username=subscriber&username[]=demo',
      'username=subscriber;username=demo',
      'username=subscriber%26username=demo',
      'Username=demo',
    ]) {
      const answer = await fetch(`${url}/v1/contact-lists?${query}`, {
        headers: { authorization: `Bearer ${subscriber.token}` },
      });
      const text = await answer.text();
      assert.ok(
        answer.status === 403 || text === '{"contact_lists":[]}' || /"contact_lists":\[\]/.test(text),
        `${query}: ${text}`,
      );
    }
  });

  test('ids of another account in bodies', async () => {
    const bodies: [path: string, body: Fields, status: number][] = [];
    const list = await service.call('json', 'newCL', {
      cl: { name: 'Mine', destinations: { destination: [{ phone: newPhone() }] } },
    });
    const [listId] = list.fields.identifiers as string[];
    const mailList = (await (
      await fetch(`${url}/api/Mailer/CreateMalingList`, {
        method: 'POST',
        headers: { authorization: MAIL_TOKEN, 'content-type': 'application/json' },
        body: JSON.stringify({ IsNewList: true, NewListName: 'Mine' }),
      })
    ).json()) as { data: { mailingLists: number[] } };
    const lists = mailList.data.mailingLists;
    const mail = { from: { address: 'a@example.com' }, subject: 'Hi', text: 'Hi', lists };
    const source = '972550000001';
    bodies.push(
      ['/sms', { source: 'Shop', lists: [listId], message: 'Hi' }, 404],
      ['/sms/estimate', { source: 'Shop', lists: [listId], message: 'Hi' }, 404],
      ['/mail/campaigns', mail, 404],
      ['/mail/campaigns/estimate', mail, 404],
      ['/chat/messages', { source, template_id: `1_${source}_plain`, destination: newPhone() }, 400],
      ['/chat/campaigns', { source, template_id: `1_${source}_plain`, phones: [newPhone()] }, 400],
      [
        '/chat/templates',
        { phone: source, name: 'mine', language: '2', category: 'utility', body: 'Hi' },
        400,
      ],
      ['/wallet/transfers', { username: 'demo', amount: '-1' }, 404],
    );
    const balance = await service.balance();
    for (const { token } of Object.values(attackers)) {
      for (const [path, body, status] of bodies) {
        const answer = await fetch(`${url}/v1${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await answer.text();
        assert.ok(
          answer.status === status || answer.status === 403 || answer.status === 404,
          `${path}: ${answer.status} ${text}`,
        );
      }
    }
    const [sent] = await sql`
      SELECT count(*)::int AS n FROM shipments WHERE account_id IN (${stranger.id}, ${subscriber.id})`;
    assert.equal(sent!.n, 0);
    assert.ok((await service.balance()) >= balance - 1_000);
  });
});

describe('by the chat API', () => {
  const source = '972550000001';
  const chat = async (path: string, token: string, body?: Fields) => {
    const answer = await fetch(`${url}/chat-api/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
    });
    return (await answer.json()) as { success: boolean; ans?: { reason: number }; message?: string };
  };

  test('templates and messages of a number of another account', async () => {
    for (const { token } of Object.values(attackers)) {
      const shown = await chat(`get-phone-templates/${source}`, token);
      assert.equal(shown.success, false);
      const nobodys = await chat('get-phone-templates/972559999999', token);
      assert.deepEqual(shown, nobodys);
      const destination = newPhone();
      for (const [path, body] of [
        ['send-template-message', { source, destination, templateId: `1_${source}_plain` }],
        ['send-buttons', { source, destination, header: '1', body: 'Hi', button1: 'Yes' }],
        [
          'send-carousel',
          {
            source,
            destination,
            message: 'Hi',
            buttons: 2,
            card1_headerLink: 'https://example.com/a.jpg',
            card2_headerLink: 'https://example.com/a.jpg',
            card1_button1: 'a',
            card2_button1: 'a',
          },
        ],
      ] as [string, Fields][]) {
        const { success, ans } = await chat(path, token, body);
        assert.deepEqual([success, ans?.reason], [false, 2], path);
      }
      const campaign = {
        source,
        destinations: { phones: [destination] },
        campaign_message: `1_${source}_plain`,
        future_campaign: 'instant',
      };
      assert.doesNotMatch(
        JSON.stringify(await chat('create-campaign-wa', token, campaign)),
        /"success":true/,
      );
    }
  });

  test('contact lists of another account in a campaign of an own number', async () => {
    const list = await service.call(
      'json',
      'newCL',
      {
        user: { username: 'stranger' },
        cl: { name: 'Theirs', destinations: { destination: [{ phone: newPhone() }] } },
      },
      { token: stranger.token },
    );
    for (const cl of [...(list.fields.identifiers as string[]), '2000000000']) {
      const answer = await chat('create-campaign-wa', DEMO_TOKEN, {
        source,
        destinations: { cl: [cl] },
        campaign_message: `1_${source}_plain`,
        future_campaign: 'instant',
      });
      assert.doesNotMatch(JSON.stringify(answer), /"success":true/);
    }
  });
});

describe('by the mailing-list API', () => {
  test('lists and users of another account', async () => {
    const made = await fetch(`${url}/v1/mail/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stranger.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'mine' }),
    });
    const { token: mailToken } = (await made.json()) as { token: string };
    const call = async (authorization: string, path: string, body?: unknown) => {
      const answer = await fetch(`${url}/api/Mailer/${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return (await answer.json()) as {
        success: boolean;
        result: { ResultID: number };
        users?: { EmailAddress: string }[];
        listNames?: { NewListName: string }[];
        data?: { mailingLists: number[] };
      };
    };
    const { data } = await call(MAIL_TOKEN, 'CreateMalingList', { IsNewList: true, NewListName: 'Of demo' });
    const [list] = data!.mailingLists;
    await call(MAIL_TOKEN, 'AddUsersToLists', {
      users: [{ EmailAddress: 'dana@example.com' }],
      mailingLists: [{ ExistingListID: list }],
    });
    for (const id of [list, 2_000_000_000]) {
      const users = await call(mailToken, `GetMailingListByID/?listID=${id}&type=0`);
      assert.equal(JSON.stringify(users).includes('dana@example.com'), false);
      const added = await call(mailToken, 'AddUsersToLists', {
        users: [{ EmailAddress: 'evil@example.com' }],
        mailingLists: [{ ExistingListID: id }],
      });
      assert.equal(added.success, false);
      await call(mailToken, 'TruncateMailingLists', [id]);
    }
    const names = await call(mailToken, 'GetMailingListNames', {});
    assert.equal(JSON.stringify(names).includes('Of demo'), false);
    const { users } = await call(MAIL_TOKEN, `GetMailingListByID/?listID=${list}&type=4`);
    assert.deepEqual(users!.length, 1, 'the list is as it was');
    assert.equal(users![0]!.EmailAddress, 'dana@example.com');
  });

  test('a mail token opens no other API, and an API token not this one', async () => {
    const headers = (authorization: string) => ({ authorization, 'content-type': 'application/json' });
    const overview = await fetch(`${url}/v1/overview`, { headers: headers(`Bearer ${MAIL_TOKEN}`) });
    assert.equal(overview.status, 401);
    assert.equal((await service.call('json', 'balance', {}, { token: MAIL_TOKEN })).status, 3);
    for (const authorization of [stranger.token, `Bearer ${stranger.token}`]) {
      const answer = await fetch(`${url}/api/Mailer/GetMailingListNames`, {
        method: 'POST',
        headers: headers(authorization),
        body: '{}',
      });
      assert.equal(((await answer.json()) as { success: boolean }).success, false);
    }
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { type Content, DEMO_TOKEN, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** What clients in the wild send beyond the interface's letter (decisions, section 8). */
const service = await startTestService({ settings: { VERIFY_SOURCES: 'on' } });
const { sources } = service.appContext;
await sources.approve(service.demo.id, 'Shop');
await sources.approve(service.demo.id, '0501112222');
await sources.approve(service.demo.id, 'My Shop-1.x');

const message = (more: Content = {}): Content => ({
  source: 'Shop',
  destinations: { phone: newPhone() },
  message: 'x',
  ...more,
});

/** Where an SMS came from, as the phone shows it. */
async function senderAt(phone: string): Promise<string> {
  await waitFor('the phone to have it', async () => (await service.phone(phone)).length > 0);
  return (await service.phone(phone))[0]!.from;
}

for (const form of forms) {
  const call = (root: string, content: Content, options = {}) => service.call(form, root, content, options);

  describe(`amendments, ${form}`, () => {
    test('a numeric source is the same in every spelling', covers('amendments.numeric sources'), async () => {
      for (const source of ['0501112222', '501112222', '972501112222', '+972501112222', '+972 50-111-2222']) {
        const phone = newPhone();
        const answer = await call('sms', message({ source, destinations: { phone } }));
        assert.equal(answer.status, 0, `${source}: ${answer.message}`);
        assert.equal(await senderAt(phone), '0501112222', source);
      }
      for (const source of ['+97250111222233', '+44 7911 123456', '05011122223333']) {
        assert.equal((await call('sms', message({ source }))).status, 992, source);
      }
    });

    test(
      'an approved name may have blanks and signs, others follow the letter',
      covers('amendments.approved names'),
      async () => {
        const phone = newPhone();
        const answer = await call('sms', message({ source: 'My Shop-1.x', destinations: { phone } }));
        assert.equal(answer.status, 0, answer.message);
        assert.equal(await senderAt(phone), 'My Shop-1.x');
        for (const source of ['My Shop-1.y', 'My_Shop', 'My Shop-1.x!'])
          assert.equal((await call('sms', message({ source }))).status, 992, source);
      },
    );

    test('515 says how to verify a number', covers('amendments.515'), async () => {
      const answer = await call('sms', message({ source: '0503334444' }));
      assert.equal(answer.status, 515);
      assert.equal(
        answer.message,
        'unverified source number - you can verify this number with verify_phone request',
      );
    });

    test(
      'an empty entry among phones is reported with its place, and nothing is sent',
      covers('amendments.empty entry'),
      async () => {
        const before = await service.balance();
        const answer = await call('sms', message({ destinations: { phone: [newPhone(), '', newPhone()] } }));
        assert.deepEqual([answer.status, answer.message], [9, 'destinations.phone[1]: empty']);
        const bulk = await call('bulk', {
          messages: { sms: [message(), message({ destinations: { phone: ['', newPhone()] } })] },
        });
        assert.deepEqual([bulk.status, bulk.message], [9, 'messages.sms[1].destinations.phone[0]: empty']);
        assert.equal(await service.balance(), before);
      },
    );

    test(
      'destinations.cl next to phones is not used, and the answer says this',
      covers('amendments.cl'),
      async () => {
        const answer = await call('sms', message({ destinations: { phone: newPhone(), cl: '12345' } }));
        assert.equal(answer.status, 0);
        assert.match(answer.message, /destinations\.cl was not used/);
        assert.equal((await call('sms', message())).message, 'SMS will be sent');
        assert.equal((await call('sms', message({ destinations: { cl: '12345' } }))).status, 2);
      },
    );

    test('the token is accepted without Bearer', covers('amendments.token header'), async () => {
      for (const authorization of [DEMO_TOKEN, `bearer ${DEMO_TOKEN}`, ` ${DEMO_TOKEN} `]) {
        const answer = await call('balance', {}, { token: null, headers: { authorization } });
        assert.equal(answer.status, 0, answer.message);
      }
      for (const authorization of ['Bearer', `Basic ${DEMO_TOKEN}`, 'x'])
        assert.equal((await call('balance', {}, { token: null, headers: { authorization } })).status, 3);
    });

    test('rmNumCL takes what addNumCL takes', covers('amendments.rmNumCL', 'amendments.errors'), async () => {
      const [one, two, three] = newPhones(3) as [string, string, string];
      const made = await call('newCL', { cl: { name: 'list' } });
      const id = (made.fields.identifiers as string[])[0]!;
      const rows = (...phones: string[]) => ({ destination: phones.map((phone) => ({ phone })) });
      await call('addNumCL', { cl: { id, destinations: rows(one, two, three) } });
      const taken = await call('rmNumCL', { cl: { id, destinations: { phone: three, ...rows(one, '12') } } });
      assert.deepEqual([taken.status, taken.message], [0, '2 numbers removed']);
      assert.deepEqual(taken.fields.errors, [
        'cl.destinations.destination[1].phone (12): too short, too long or not a phone number',
      ]);
      const nothing: Content[] = [{ phone: '' }, rows(''), { number: one }, { destination: { number: one } }];
      for (const destinations of nothing) {
        for (const root of ['rmNumCL', 'addNumCL']) {
          const answer = await call(root, { cl: { id, destinations } });
          assert.equal(answer.status, 2, `${root} ${JSON.stringify(destinations)}: ${answer.message}`);
        }
      }
      const misplaced = await call('newCL', { cl: { name: 'x', destinations: { phone: one } } });
      assert.equal(misplaced.status, 2);
      assert.equal((await call('removeCL', { cl: { id: ['', ''] } })).status, 2);
    });

    test(
      'operations that take lists refuse a request in which nothing is named',
      covers('amendments.rmNumCL'),
      async () => {
        const phone = newPhone();
        const nothing: [string, Content][] = [
          ['addNumBL', { phones: { number: phone } }],
          ['addNumBL', { phones: { phone: [] } }],
          ['rmNumBL', { phones: { number: phone }, reason: 'x' }],
          ['removeCL', { cl: { number: '1' } }],
          ['newCL', { cl: { destinations: { destination: { phone } } } }],
          ['dlr', { transactions: { id: 'x' }, from: '01/01/26 00:00', to: '01/01/26 10:00' }],
          ['bulk', { messages: { message: message() } }],
          ['sms', message({ destinations: { number: phone } })],
        ];
        for (const [root, content] of nothing) {
          const answer = await call(root, content);
          assert.equal(answer.status, 2, `${root} ${JSON.stringify(content)}: ${answer.message}`);
        }
        assert.equal((await call('verify_phone', { number: phone })).status, 510);
      },
    );

    test('errors of the blacklist name the number', covers('amendments.errors'), async () => {
      const answer = await call('addNumBL', { phones: { phone: [newPhone(), '12'] } });
      assert.deepEqual(answer.fields.errors, [
        'phones.phone[1] (12): too short, too long or not a phone number',
      ]);
    });

    test(
      'times may have seconds, and two digits of a year are of this century',
      covers('amendments.seconds'),
      async () => {
        for (const timing of ['31/12/99 23:59', '31/12/2099 23:59:30']) {
          const phone = newPhone();
          const answer = await call('sms', message({ timing, destinations: { phone } }));
          assert.equal(answer.status, 0, answer.message);
          const [row] = await service.sql<{ due_at: number }[]>`
          SELECT due_at FROM shipments WHERE id = ${Number(answer.fields.shipment_id)}`;
          assert.equal(new Date(row!.due_at).toISOString(), '2099-12-31T21:59:00.000Z');
        }
        for (const timing of ['31/12/26 23:59:60', '31/12/26 23:59:', '31/12/126 23:59'])
          assert.equal((await call('sms', message({ timing }))).status, 2, timing);
        const span = { from: '01/01/26 00:00:00', to: '01/01/26 10:00:59' };
        assert.equal((await call('incoming', span)).status, 0);
      },
    );
  });
}

test(
  'arrays of one are their entry at every level, empty ones are empty, several are refused',
  covers('amendments.arrays'),
  async () => {
    const phone = newPhone();
    const json = (body: unknown) => service.post(JSON.stringify(body));
    const user = [{ username: ['demo'] }];
    const sent = await json({
      sms: [
        {
          user,
          source: ['Shop'],
          destinations: [{ phone: [[phone]], cl_id: [] }],
          message: ['x'],
          timing: [],
        },
      ],
    });
    assert.equal(sent.status, 0, sent.message);
    assert.equal(await senderAt(phone), 'Shop');
    const bulk = await json({
      bulk: { user, messages: [{ sms: [[{ source: ['Shop'], destinations: [{ phone }], message: 'y' }]] }] },
    });
    assert.equal(bulk.status, 0, bulk.message);
    const fine = { user, ...message() };
    const refused: [unknown, number, RegExp][] = [
      [{ sms: { ...fine, source: [] } }, 992, /^source/],
      [{ sms: { ...fine, destinations: [] } }, 2, /^destinations.*missing/],
      [{ sms: { ...fine, source: ['Shop', 'Shop'] } }, 2, /^source: given more than once/],
      [{ sms: { ...fine, destinations: [{ phone }, { phone }] } }, 2, /^destinations: given more than once/],
      [{ sms: { ...fine, message: ['a', 'b'] } }, 7, /more than once/],
      [{ sms: [fine, fine] }, 7, /^sms: given more than once/],
      [{ balance: [{ user }, { user }] }, 2, /^balance: given more than once/],
      [{ sms: { ...fine, user: [] } }, 2, /^user/],
    ];
    for (const [body, status, text] of refused) {
      const answer = await json(body);
      assert.equal(answer.status, status, `${JSON.stringify(body)}: ${answer.message}`);
      assert.match(answer.message, text);
    }
  },
);

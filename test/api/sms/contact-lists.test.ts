import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { type Answer, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

const service = await startTestService();

interface Entry {
  cl_id: string;
  phone: string;
  name: string;
}

const errorsOf = (answer: Answer) => answer.fields.errors as string[];
const idsOf = (answer: Answer) => answer.fields.identifiers as string[];
const entriesOf = (answer: Answer) => answer.fields.contact_lists as Entry[];
const destinations = (phones: unknown[]) => ({ destination: phones.map((phone) => ({ phone })) });

async function newList(phones: unknown[], name = 'list'): Promise<string> {
  const answer = await service.call('json', 'newCL', { cl: { name, destinations: destinations(phones) } });
  assert.equal(answer.status, 0, answer.message);
  return idsOf(answer)[0]!;
}

async function phonesOf(id: string): Promise<string[]> {
  const answer = await service.call('json', 'getCLbyID', { cl: { id } });
  assert.equal(answer.status, 0, answer.message);
  return entriesOf(answer).map((entry) => entry.phone);
}

const rowsOf = async (id: string) =>
  (
    await service.sql`SELECT phone, df1, df2, df6 FROM contacts WHERE account_id = ${service.demo.id} AND list_id = ${Number(id)} ORDER BY phone`
  ).map((row) => ({ ...row }));

/** The count that is kept, which has to be that of the rows. */
async function countOf(id: string): Promise<number> {
  const [row] = await service.sql<{ kept: number; rows: number }[]>`
    SELECT count AS kept, (SELECT count(*) FROM contacts WHERE account_id = ${service.demo.id} AND list_id = ${Number(id)}) AS rows
    FROM contact_lists WHERE account_id = ${service.demo.id} AND id = ${Number(id)}`;
  assert.equal(row!.kept, row!.rows);
  return row!.kept;
}

for (const form of forms) {
  describe(`contact lists, ${form}`, () => {
    test(
      'newCL makes lists, and identifiers are in the order of the lists',
      covers('B6.newCL', 'B6.large', 'B6.XML'),
      async () => {
        const [one, two, three] = newPhones(3) as [string, string, string];
        const answer = await service.call(form, 'newCL', {
          cl: [
            {
              name: 'First & foremost',
              destinations: {
                destination: [
                  { phone: two, df1: 'Dana', df6: 'six' },
                  { phone: one, df2: '<b>' },
                ],
              },
            },
            { name: 'Second', destinations: { destination: { phone: three } } },
            { name: 'Empty' },
          ],
        });
        assert.equal(answer.status, 0, answer.message);
        assert.deepEqual(errorsOf(answer), []);
        const ids = idsOf(answer);
        assert.equal(ids.length, 3);
        for (const id of ids) assert.match(id, /^\d+$/);
        const e164 = (phone: string) => `972${phone.slice(1)}`;
        assert.deepEqual(await rowsOf(ids[0]!), [
          { phone: e164(one), df1: null, df2: '<b>', df6: null },
          { phone: e164(two), df1: 'Dana', df2: null, df6: 'six' },
        ]);
        assert.deepEqual(await phonesOf(ids[1]!), [three]);
        assert.deepEqual(await phonesOf(ids[2]!), []);
      },
    );

    test(
      'newCL tells of each row that cannot be used, and takes the others',
      covers('B6.newCL.errors'),
      async () => {
        const [good, other] = newPhones(2) as [string, string];
        const answer = await service.call(form, 'newCL', {
          cl: {
            name: 'rows',
            destinations: {
              destination: [
                { phone: good },
                { phone: '05' },
                { phone: '050123456789012345' },
                { phone: '05o1234567' },
                { phone: `+972-${good.slice(1)}` },
                { df1: 'nobody' },
                { phone: other, df3: 'x'.repeat(1_001) },
                { phone: other, df3: 'x'.repeat(1_000) },
              ],
            },
          },
        });
        assert.equal(answer.status, 0);
        const row = (index: number) => `cl.destinations.destination[${index}]`;
        assert.deepEqual(
          errorsOf(answer).map((line) => line.replace(/ \(.*?\)/, '')),
          [
            `${row(1)}.phone: too short, too long or not a phone number`,
            `${row(2)}.phone: too short, too long or not a phone number`,
            `${row(3)}.phone: too short, too long or not a phone number`,
            `${row(4)}.phone: given more than once`,
            `${row(5)}.phone: missing`,
            `${row(6)}.df3: over 1000 characters`,
          ],
        );
        assert.equal(errorsOf(answer).filter((line) => / \(\S+\): /.test(line)).length, 5);
        assert.deepEqual(await phonesOf(idsOf(answer)[0]!), [good, other]);
        assert.equal(await countOf(idsOf(answer)[0]!), 2);
      },
    );

    test(
      'addNumCL adds what is not in the list, and leaves what is',
      covers('B6.addNumCL', 'B6.counts'),
      async () => {
        const [there, fresh] = newPhones(2) as [string, string];
        const id = await newList([there]);
        const answer = await service.call(form, 'addNumCL', {
          cl: [
            {
              id,
              destinations: {
                destination: [{ phone: there, df1: 'changed' }, { phone: fresh, df1: 'new' }, { phone: 'x' }],
              },
            },
            { id: '12345', destinations: { destination: { phone: fresh } } },
            { id: 'not-an-id', destinations: { destination: { phone: fresh } } },
          ],
        });
        assert.equal(answer.status, 0);
        assert.deepEqual(errorsOf(answer), [
          `cl[0].destinations.destination[0].phone (${there}): already in the list`,
          'cl[0].destinations.destination[2].phone (x): too short, too long or not a phone number',
          'cl[1].id: no such contact list',
          'cl[2].id: no such contact list',
        ]);
        assert.equal(answer.message, '1 numbers added');
        assert.deepEqual(
          (await rowsOf(id)).map((row) => (row as { df1?: string }).df1),
          [null, 'new'],
        );
        assert.equal(await countOf(id), 2);
      },
    );

    test('rmNumCL takes numbers out', covers('B6.rmNumCL'), async () => {
      const [stays, goes, never] = newPhones(3) as [string, string, string];
      const id = await newList([stays, goes]);
      const answer = await service.call(form, 'rmNumCL', {
        cl: [
          { id, destinations: { phone: [goes.slice(1), never, ''] } },
          { id: '12345', destinations: { phone: stays } },
        ],
      });
      assert.equal(answer.status, 0);
      assert.equal(answer.message, '1 numbers removed');
      assert.deepEqual(errorsOf(answer), [
        `cl[0].destinations.phone[1] (${never}): not in the list`,
        'cl[0].destinations.phone[2]: missing',
        'cl[1].id: no such contact list',
      ]);
      assert.deepEqual(await phonesOf(id), [stays]);
      assert.equal(await countOf(id), 1);
    });

    test(
      'removeCL removes lists immediately and their contacts soon',
      covers('B6.removeCL', 'B6.getCLbyID'),
      async () => {
        const ids = [await newList(newPhones(3)), await newList([])];
        const answer = await service.call(form, 'removeCL', { cl: { id: [...ids, '12345'] } });
        assert.equal(answer.status, 0);
        assert.equal(answer.message, '2 contact lists removed');
        assert.deepEqual(errorsOf(answer), ['cl.id[2]: no such contact list']);
        const again = await service.call(form, 'removeCL', { cl: [{ id: ids[0] }] });
        assert.deepEqual(errorsOf(again), ['cl.id: no such contact list']);
        assert.equal((await service.call(form, 'getCLbyID', { cl: { id: ids[0] } })).status, 988);
        await waitFor('the contacts are deleted', async () => {
          const [row] = await service.sql<{ left: number }[]>`
          SELECT (SELECT count(*) FROM contacts WHERE list_id = ANY(${ids.map(Number)}::bigint[]))
            + (SELECT count(*) FROM contact_lists WHERE id = ANY(${ids.map(Number)}::bigint[])) AS left`;
          return row!.left === 0;
        });
      },
    );

    test(
      'getCL has an entry for each number, and one without a number for an empty list',
      covers('B6.getCL', 'B6.getCLbyID'),
      async () => {
        const account = await service.addAccount({ username: `reader-${form}` });
        const options = { token: account.token };
        const mine = { user: { username: account.username } };
        const empty = await service.call(form, 'getCL', mine, options);
        assert.equal(empty.status, 0);
        assert.deepEqual(entriesOf(empty), []);
        const made = await service.call(
          form,
          'newCL',
          {
            ...mine,
            cl: [
              { name: 'none' },
              { name: 'two', destinations: destinations(['0521111111', '15417543010']) },
              { name: 'gone', destinations: destinations(['0523333333']) },
              { name: 'one', destinations: destinations(['0522222222']) },
              { name: 'none either' },
            ],
          },
          options,
        );
        const [a, b, c, d, e] = idsOf(made) as [string, string, string, string, string];
        await service.call(form, 'removeCL', { ...mine, cl: { id: c } }, options);
        const answer = await service.call(form, 'getCL', mine, options);
        assert.deepEqual(entriesOf(answer), [
          { cl_id: a, phone: '', name: 'none' },
          { cl_id: b, phone: '15417543010', name: 'two' },
          { cl_id: b, phone: '0521111111', name: 'two' },
          { cl_id: d, phone: '0522222222', name: 'one' },
          { cl_id: e, phone: '', name: 'none either' },
        ]);
        const one = await service.call(form, 'getCLbyID', { ...mine, cl: { id: d } }, options);
        assert.deepEqual(entriesOf(one), [{ cl_id: d, phone: '0522222222', name: 'one' }]);
      },
    );

    test('lists of another account do not exist', covers('B6.isolation'), async () => {
      const phone = newPhone();
      const id = await newList([phone]);
      const stranger = await service.addAccount({ username: `stranger-${form}` });
      const call = (root: string, content: object) =>
        service.call(
          form,
          root,
          { user: { username: stranger.username }, ...content },
          { token: stranger.token },
        );
      assert.equal((await call('getCLbyID', { cl: { id } })).status, 988);
      for (const answer of [
        await call('removeCL', { cl: { id } }),
        await call('addNumCL', { cl: { id, destinations: destinations([newPhone()]) } }),
        await call('rmNumCL', { cl: { id, destinations: { phone } } }),
      ]) {
        assert.deepEqual(errorsOf(answer), ['cl.id: no such contact list']);
      }
      assert.deepEqual(entriesOf(await call('getCL', {})), []);
      assert.deepEqual(await phonesOf(id), [phone]);
    });

    test(
      'what is missing or over a limit fails the call, and stores nothing',
      covers(
        'B6.newCL.refused',
        'B6.removeCL.refused',
        'B6.addNumCL.refused',
        'B6.rmNumCL.refused',
        'B6.getCLbyID',
      ),
      async () => {
        const before = await countEverything(service.sql);
        const many = Array.from({ length: 1_001 }, () => ({ name: 'x' }));
        const table: [root: string, content: object, field: string][] = [
          ['newCL', {}, 'cl'],
          ['newCL', { cl: { destinations: destinations([newPhone()]) } }, 'cl.name'],
          ['newCL', { cl: { name: '' } }, 'cl.name'],
          ['newCL', { cl: { name: 'x'.repeat(101) } }, 'cl.name'],
          ['newCL', { cl: many }, 'cl'],
          ['removeCL', {}, 'cl'],
          ['removeCL', { cl: { name: 'x' } }, 'cl.id'],
          ['addNumCL', {}, 'cl'],
          ['addNumCL', { cl: { id: 1 } }, 'cl.destinations'],
          ['rmNumCL', {}, 'cl'],
          ['rmNumCL', { cl: { id: 1 } }, 'cl.destinations'],
          ['getCLbyID', {}, 'cl'],
          ['getCLbyID', { cl: { name: 'x' } }, 'cl.id'],
        ];
        for (const [root, content, field] of table) {
          const answer = await service.call(form, root, content as Record<string, unknown>);
          assert.equal(answer.status, 2, `${root} ${JSON.stringify(content).slice(0, 80)}`);
          assert.ok(answer.message.replace('[0]', '').startsWith(`${field}:`), answer.message);
        }
        assert.deepEqual(await countEverything(service.sql), before);
      },
    );

    test('a dry run answers alike and stores nothing', covers('B6.dry run'), async () => {
      const [there, fresh] = newPhones(2) as [string, string];
      const id = await newList([there]);
      const dry = { path: '/api/test' };
      const before = await countEverything(service.sql);
      const made = await service.call(
        form,
        'newCL',
        { cl: { name: 'x', destinations: destinations(['1']) } },
        dry,
      );
      assert.equal(idsOf(made).length, 1);
      assert.equal(errorsOf(made).length, 1);
      const added = await service.call(
        form,
        'addNumCL',
        { cl: { id, destinations: destinations([there, fresh]) } },
        dry,
      );
      assert.equal(added.message, '1 numbers added');
      assert.deepEqual(errorsOf(added), [
        `cl.destinations.destination[0].phone (${there}): already in the list`,
      ]);
      const taken = await service.call(
        form,
        'rmNumCL',
        { cl: { id, destinations: { phone: [there, fresh] } } },
        dry,
      );
      assert.equal(taken.message, '1 numbers removed');
      assert.deepEqual(errorsOf(taken), [`cl.destinations.phone[1] (${fresh}): not in the list`]);
      const removed = await service.call(form, 'removeCL', { cl: { id } }, dry);
      assert.equal(removed.message, '1 contact lists removed');
      assert.deepEqual(await countEverything(service.sql), before);
      assert.deepEqual(await phonesOf(id), [there]);
    });
  });
}

test('a hundred thousand rows in one request, and read back', covers('B6.large'), async () => {
  const phones = Array.from({ length: 100_000 }, (_, index) => `05${40_000_000 + index}`);
  const id = await newList(phones);
  assert.equal(await countOf(id), 100_000);
  const read = await phonesOf(id);
  assert.equal(read.length, 100_000);
  assert.equal(new Set(read).size, 100_000);
  const again = await service.call('json', 'addNumCL', { cl: { id, destinations: destinations(phones) } });
  assert.equal(again.status, 0);
  assert.equal(errorsOf(again).length, 100_000);
  const taken = await service.call('json', 'rmNumCL', { cl: { id, destinations: { phone: phones } } });
  assert.equal(taken.message, '100000 numbers removed');
  assert.equal(await countOf(id), 0);
});

test(
  'counts stay exact when many requests add and remove the same numbers of the same lists concurrently',
  covers('B6.counts'),
  async () => {
    const phones = newPhones(200);
    const ids = [await newList([]), await newList([])];
    await Promise.all(
      Array.from({ length: 24 }, (_, turn) => {
        const order = turn % 2 === 0 ? ids : ids.toReversed();
        const some = turn % 2 === 0 ? phones : phones.toReversed();
        const adds = turn % 3 !== 0;
        const cl = order.map((id) => ({
          id,
          destinations: adds ? destinations(some) : { phone: some.slice(turn * 5) },
        }));
        return service
          .call('json', adds ? 'addNumCL' : 'rmNumCL', { cl })
          .then((answer) => assert.equal(answer.status, 0));
      }),
    );
    for (const id of ids) await countOf(id);
  },
);

test('many lists are read page by page, with the empty ones among them', covers('B6.getCL'), async () => {
  const account = await service.addAccount({ username: 'collector' });
  const user = { username: account.username };
  const options = { token: account.token };
  const cl = Array.from({ length: 1_000 }, (_, index) => ({
    name: `list ${index}`,
    ...(index % 7 !== 0 && { destinations: destinations(['0521111111', '0522222222', '0523333333']) }),
  }));
  const made = await service.call('json', 'newCL', { user, cl }, options);
  const ids = idsOf(made);
  const expected = cl.flatMap((one, index) =>
    (one.destinations?.destination ?? [{ phone: '' }]).map(({ phone }) => ({
      cl_id: ids[index],
      phone,
      name: one.name,
    })),
  );
  const read = await service.call('json', 'getCL', { user }, options);
  assert.deepEqual(entriesOf(read), expected);
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MailUsers } from '../../../server/channels/mail/users.ts';
import { Consents } from '../../../server/modules/consents/consents.ts';
import { createEventModule } from '../../../server/run/app-context.ts';
import { covers } from '../../conformance/covers.ts';
import { MAIL_TOKEN, newAddress, startMail } from './support.ts';

const mail = await startMail({ MAIL_API_ALIASES: 'Brand,other-brand' });
const { get, post, done, refused, newList, add, usersOf, listOf, counts, countedOf } = mail;

describe('CreateMalingList', () => {
  test('makes a list, with a description or without', covers('C.CreateMalingList', 'C.200'), async () => {
    const answer = await done(
      post('CreateMalingList', {
        IsNewList: true,
        NewListName: ' עלון חודשי ',
        NewListDescription: 'first line\nsecond line',
      }),
    );
    const { users, mailingLists } = answer.json.data as { users: unknown[]; mailingLists: number[] };
    assert.deepEqual([users, mailingLists.length], [[], 1]);
    assert.ok(Number.isInteger(mailingLists[0]) && mailingLists[0]! < 2 ** 31);
    assert.deepEqual(await listOf(mailingLists[0]!), {
      ActiveUserCount: 0,
      ExistingListID: mailingLists[0],
      IsNewList: false,
      NewListDescription: 'first line\nsecond line',
      NewListName: 'עלון חודשי',
      UserCount: 0,
    });
    const plain = await newList('plain');
    assert.equal((await listOf(plain)).NewListDescription, '');
    const nulled = await done(
      post('CreateMalingList', { IsNewList: true, NewListName: 'n', NewListDescription: null }),
    );
    assert.ok(nulled);
  });

  const bad: [body: unknown, message: RegExp][] = [
    [undefined, /the body: missing/],
    ['[]', /the body: must be an object/],
    ['"x"', /the body: must be an object/],
    [{ NewListName: 'x' }, /IsNewList: missing/],
    [{ IsNewList: false, NewListName: 'x' }, /IsNewList: must be true/],
    [{ IsNewList: 'true', NewListName: 'x' }, /IsNewList: must be true/],
    [{ IsNewList: true }, /NewListName: missing/],
    [{ IsNewList: true, NewListName: '  ' }, /NewListName: missing/],
    [{ IsNewList: true, NewListName: 7 }, /NewListName: must be a text/],
    [{ IsNewList: true, NewListName: 'a\r\nBcc: x@example.com' }, /NewListName: must be one line/],
    [{ IsNewList: true, NewListName: 'x'.repeat(201) }, /NewListName: over 200 characters/],
    [{ IsNewList: true, NewListName: 'x', NewListDescription: {} }, /NewListDescription: must be a text/],
    [
      { IsNewList: true, NewListName: 'x', NewListDescription: 'x'.repeat(2_001) },
      /NewListDescription: over 2000/,
    ],
    ['{"IsNewList": true, "NewListName": "a\\u0000b"}', /NUL/],
  ];
  for (const [body, message] of bad) {
    test(`refuses ${JSON.stringify(body)?.slice(0, 80)}`, async () =>
      void (await refused(() => post('CreateMalingList', body), 400, message)));
  }
});

describe('AddUsersToLists', () => {
  test('whole numbers may be text', async () => {
    const list = await newList();
    const [id] = await add(String(list) as never, [newAddress()]);
    assert.deepEqual(
      (await usersOf(list)).map(({ UserID }) => UserID),
      [id],
    );
    await done(post('TruncateMailingLists', [` ${list} `]));
    assert.deepEqual(await usersOf(list), []);
  });

  test('adds users with every field, and shows them', covers('C.AddUsersToLists'), async () => {
    const list = await newList();
    const address = newAddress();
    const [id] = await add(list, [
      {
        EmailAddress: ` ${address.toUpperCase()} `,
        FirstName: 'דנה',
        LastName: 'O\'Neil \\ "x"',
        Cellphone: '050-1234567',
        UserSendFields: [
          { Key: 'city', Value: 'Haifa' },
          { Key: 'age', Value: '30' },
        ],
        UserSystemFields: [{ Key: 'source', Value: 'shop' }],
        DeleteUser: false,
        IsUserSelfRemoved: false,
        UndeleteUserIfExists: false,
        StatusEmail: null,
        UserID: 0,
      },
    ]);
    assert.deepEqual(await usersOf(list), [
      {
        Cellphone: '050-1234567',
        DeleteUser: false,
        EmailAddress: address.toUpperCase(),
        FirstName: 'דנה',
        IsUserSelfRemoved: false,
        LastName: 'O\'Neil \\ "x"',
        StatusEmail: null,
        UndeleteUserIfExists: false,
        UserID: id,
        UserSendFields: [
          { Key: 'city', Value: 'Haifa' },
          { Key: 'age', Value: '30' },
        ],
        UserSystemFields: [{ Key: 'source', Value: 'shop' }],
      },
    ]);
    assert.deepEqual(await counts(list), [1, 1]);
  });

  test(
    'knows a user again without case, and changes nothing but the fields given',
    covers('C.AddUsersToLists.known'),
    async () => {
      const [one, other] = [await newList(), await newList()];
      const address = newAddress();
      const [id] = await add(one, [
        {
          EmailAddress: address,
          FirstName: 'Dana',
          LastName: 'Cohen',
          UserSendFields: [{ Key: 'a', Value: '1' }],
        },
      ]);
      assert.deepEqual(
        await add(
          [one, other],
          [
            {
              EmailAddress: address.toUpperCase(),
              LastName: 'Levi',
              Cellphone: null,
              UserSendFields: [{ Key: 'b', Value: '2' }],
            },
          ],
        ),
        [id],
      );
      const [user] = await usersOf(other);
      assert.deepEqual(
        [user!.EmailAddress, user!.FirstName, user!.LastName, user!.Cellphone, user!.UserSendFields],
        [
          address,
          'Dana',
          'Levi',
          '',
          [
            { Key: 'a', Value: '1' },
            { Key: 'b', Value: '2' },
          ],
        ],
      );
      await add(one, [address]);
      assert.equal((await usersOf(one))[0]!.LastName, 'Levi');
      assert.deepEqual(
        [await counts(one), await counts(other)],
        [
          [1, 1],
          [1, 1],
        ],
      );
    },
  );

  test(
    'one address twice in a request is one user, of whom the last fields hold',
    covers('C.AddUsersToLists.known'),
    async () => {
      const list = await newList();
      const address = newAddress();
      const ids = await add(list, [
        { EmailAddress: address, FirstName: 'a', LastName: 'b' },
        newAddress(),
        { EmailAddress: address.toUpperCase(), FirstName: 'c' },
      ]);
      assert.equal(ids.length, 3);
      assert.equal(ids[0], ids[2]);
      assert.deepEqual(await counts(list), [2, 2]);
      const user = (await usersOf(list)).find(({ UserID }) => UserID === ids[0])!;
      assert.deepEqual([user.FirstName, user.LastName], ['c', 'b']);
    },
  );

  test('one list twice in a request counts once', covers('C.AddUsersToLists'), async () => {
    const list = await newList();
    await add([list, list], [newAddress()]);
    assert.deepEqual(await counts(list), [1, 1]);
  });

  test(
    'internationalised addresses, plus variants, and spellings of one domain',
    covers('C.AddUsersToLists.addresses'),
    async () => {
      const list = await newList();
      const ids = await add(list, [
        'דנה@example.com',
        'müller@bücher.example',
        'MÜLLER@xn--bcher-kva.example',
        'a+news@example.com',
        'a@example.com',
        "o'neil_x-1@sub.example.co.il",
      ]);
      assert.equal(ids[1], ids[2]);
      assert.equal(new Set(ids).size, 5);
      assert.deepEqual(await counts(list), [5, 5]);
    },
  );

  const user = (fields: object) => ({ users: [{ EmailAddress: 'x@example.com', ...fields }] });
  const bad: [body: object | string, message: RegExp][] = [
    ['', /the body: missing/],
    ['{"users": ', /not valid JSON/],
    ['\ufeff', /the body: missing/],
    [[], /the body: must be an object/],
    [{}, /users: missing/],
    [{ users: null }, /users: missing/],
    [{ users: [] }, /users: must not be empty/],
    [{ users: { EmailAddress: 'x@example.com' } }, /users: must be an array/],
    [{ users: ['x@example.com'] }, /users\[0\]: must be an object/],
    [{ users: [null] }, /users\[0\]: missing/],
    [{ users: [{}] }, /users\[0\]\.EmailAddress: missing/],
    [user({ EmailAddress: 7 }), /users\[0\]\.EmailAddress: must be a text/],
    [user({ FirstName: 7 }), /users\[0\]\.FirstName: must be a text/],
    [user({ FirstName: 'a\r\nBcc: x@example.com' }), /users\[0\]\.FirstName: must be one line/],
    [user({ LastName: 'a\nb' }), /users\[0\]\.LastName: must be one line/],
    [user({ Cellphone: '1\u0085b' }), /users\[0\]\.Cellphone: must be one line/],
    [user({ FirstName: 'x'.repeat(321) }), /users\[0\]\.FirstName: over 320 characters/],
    [user({ DeleteUser: 'yes' }), /users\[0\]\.DeleteUser: must be true or false/],
    [user({ UndeleteUserIfExists: 1 }), /users\[0\]\.UndeleteUserIfExists: must be true or false/],
    [user({ UserSendFields: {} }), /users\[0\]\.UserSendFields: must be an array/],
    [user({ UserSendFields: [{ Value: 'x' }] }), /users\[0\]\.UserSendFields\[0\]\.Key: missing/],
    [user({ UserSendFields: [{ Key: 'a', Value: 1 }] }), /UserSendFields\[0\]\.Value: must be a text/],
    [user({ UserSendFields: [{ Key: 'a\r\nb', Value: 'x' }] }), /UserSendFields\[0\]\.Key: must be one line/],
    [
      user({ UserSystemFields: [{ Key: 'a', Value: 'x\u2028y' }] }),
      /UserSystemFields\[0\]\.Value: must be one line/,
    ],
  ];
  for (const [body, message] of bad) {
    test(`refuses ${JSON.stringify(body).slice(0, 90)}`, async () => {
      const list = await newList();
      const whole =
        typeof body === 'string' || Array.isArray(body)
          ? body
          : { mailingLists: [{ ExistingListID: list }], ...body };
      await refused(() => post('AddUsersToLists', whole), 400, message);
    });
  }

  const badLists: [lists: unknown, message: RegExp][] = [
    [undefined, /mailingLists: missing/],
    [[], /mailingLists: must not be empty/],
    [{}, /mailingLists: must be an array/],
    [[17], /mailingLists\[0\]: must be an object/],
    [[{}], /mailingLists\[0\]\.ExistingListID: missing/],
    [[{ ExistingListID: '17x' }], /ExistingListID: must be a whole number/],
    [[{ ExistingListID: '' }], /ExistingListID: must be a whole number/],
    [[{ ExistingListID: 1.5 }], /ExistingListID: must be a whole number/],
  ];
  for (const [lists, message] of badLists) {
    test(`refuses the lists ${JSON.stringify(lists)}`, async () =>
      void (await refused(
        () => post('AddUsersToLists', { users: [{ EmailAddress: 'x@example.com' }], mailingLists: lists }),
        400,
        message,
      )));
  }

  const notAddresses = [
    'x',
    'x@',
    '@example.com',
    'x@example',
    'x@@example.com',
    'x y@example.com',
    'x@exa mple.com',
    'x@-example.com',
    'x@example.com.',
    '.x@example.com',
    'x..y@example.com',
    'x@[192.0.2.1]',
    'x@192.0.2.1',
    '"x y"@example.com',
    'x@example.com\r\nBcc: y@example.com',
    'x,y@example.com',
    'Dana <x@example.com>',
    'x@example.com, y@example.com',
    'x\u202ey@example.com',
    `${'x'.repeat(65)}@example.com`,
    `x@${'y'.repeat(64)}.com`,
    `x@${'y.'.repeat(130)}com`,
    'x@exa/mple.com',
    'x@example.com?subject=y',
  ];
  test(
    'refuses what is no address, the whole request with it',
    covers('C.AddUsersToLists.addresses', 'C.400'),
    async () => {
      const list = await newList();
      for (const address of notAddresses) {
        await refused(
          () =>
            post('AddUsersToLists', {
              users: [{ EmailAddress: newAddress() }, { EmailAddress: address }],
              mailingLists: [{ ExistingListID: list }],
            }),
          400,
          /users\[1\]\.EmailAddress: not an e-mail address/,
        );
      }
      assert.deepEqual(await counts(list), [0, 0]);
    },
  );

  test('an unknown list is 410, and nobody is added to the others', covers('C.410'), async () => {
    const list = await newList();
    for (const id of [2_000_000_000, 0, -1, Number.MAX_SAFE_INTEGER, 1e300]) {
      await refused(
        () =>
          post('AddUsersToLists', {
            users: [{ EmailAddress: newAddress() }],
            mailingLists: [{ ExistingListID: list }, { ExistingListID: id }],
          }),
        410,
        /there is no mailing list/,
      );
    }
  });
});

{
  const list = await newList();
  const address = { active: newAddress(), deleted: newAddress(), removed: newAddress(), wrong: newAddress() };
  await add(list, Object.values(address));
  const ids = Object.fromEntries((await usersOf(list)).map((user) => [user.EmailAddress, user.UserID]));
  const users = new MailUsers({
    sql: mail.sql,
    clock: mail.appContext.clock,
    consents: new Consents(mail.appContext),
    events: createEventModule(mail.appContext, { allowPrivate: true, deliver: false }),
  });
  const demo = mail.demo.id;
  await add(list, [{ EmailAddress: address.deleted, DeleteUser: true }]);
  await users.setStatus(demo, [ids[address.removed]!], 'removed', { cause: 'page' });
  await users.setStatus(demo, [ids[address.wrong]!], 'bounced', { cause: 'bounce', reason: '5.1.1' });

  describe('GetMailingListByID', () => {
    const shown = async (type: number) =>
      (await usersOf(list, type)).map((user) => [
        user.EmailAddress,
        user.StatusEmail,
        user.DeleteUser,
        user.IsUserSelfRemoved,
      ]);
    const active = [address.active, null, false, false];
    const deleted = [address.deleted, 'Inactive', true, false];
    const removed = [address.removed, 'AskedRemoval', false, true];
    const wrong = [address.wrong, 'BadEmail', false, false];

    test('all five types', covers('C.GetMailingListByID', 'C.StatusEmail'), async () => {
      assert.deepEqual(await shown(0), [active, deleted, removed, wrong]);
      assert.deepEqual(await shown(1), [deleted]);
      assert.deepEqual(await shown(2), [removed]);
      assert.deepEqual(await shown(3), [wrong]);
      assert.deepEqual(await shown(4), [active]);
      assert.deepEqual(await counts(list), [4, 1]);
    });

    test(
      'who is not active is not activated by being added again, but with UndeleteUserIfExists',
      covers('C.UndeleteUserIfExists'),
      async () => {
        const other = await newList();
        await add([list, other], [address.deleted, address.removed, address.wrong]);
        assert.deepEqual(
          [await counts(list), await counts(other)],
          [
            [4, 1],
            [3, 0],
          ],
        );
        await add(
          list,
          [address.deleted, address.removed, address.wrong].map((one) => ({
            EmailAddress: one,
            UndeleteUserIfExists: true,
          })),
        );
        assert.deepEqual(
          (await usersOf(other)).map((user) => user.StatusEmail),
          ['Active', 'Active', 'Active'],
        );
        assert.deepEqual(
          [await counts(list), await counts(other)],
          [
            [4, 4],
            [3, 3],
          ],
        );
        await add(list, [
          { EmailAddress: address.removed, IsUserSelfRemoved: true, UndeleteUserIfExists: true },
        ]);
        assert.deepEqual(
          [await counts(list), await counts(other)],
          [
            [4, 3],
            [3, 2],
          ],
        );
        assert.deepEqual(await counts(other), await countedOf(other));
      },
    );

    test('a delivery makes it Active', covers('C.StatusEmail'), async () => {
      const [id] = await add(list, [newAddress()]);
      await users.delivered(mail.sql, demo, [id!]);
      assert.equal((await usersOf(list)).find((user) => user.UserID === id)!.StatusEmail, 'Active');
    });

    test('the last slash before the query is optional', covers('C.GetMailingListByID.slash'), async () => {
      const path = `listID=${list}&type=4`;
      assert.deepEqual(
        (await done(get(`GetMailingListByID?${path}`))).json,
        (await done(get(`GetMailingListByID/?${path}`))).json,
      );
    });

    test('an empty list', covers('C.GetMailingListByID'), async () => {
      assert.deepEqual(await usersOf(await newList()), []);
    });

    test('unknown paths and unreadable bodies', covers('C.400'), async () => {
      for (const [query, id, message] of [
        ['', 400, /listID: missing/],
        [`listID=${list}`, 400, /type: missing/],
        [`listID=${list}&type=5`, 400, /type: must be 0 to 4/],
        [`listID=${list}&type=`, 400, /type: must be 0 to 4/],
        [`listID=${list}&type=1&type=2`, 400, /type/],
        ['listID=x&type=0', 400, /listID: must be the id of a list/],
        ['listID=-1&type=0', 400, /listID: must be the id of a list/],
        ['listID=2000000000&type=0', 410, /there is no mailing list/],
        ['listID=9999999999999999&type=0', 410, /there is no mailing list/],
      ] as const) {
        await refused(() => get(`GetMailingListByID/?${query}`), id, message);
      }
    });
  });
}

describe('GetMailingListNames', () => {
  test(
    'has the lists of the account in the order of their ids, more than a page of them',
    covers('C.GetMailingListNames'),
    async () => {
      const other = await mail.addMailAccount('many-lists');
      const empty = await done(post('GetMailingListNames', undefined, { token: other.mailToken }));
      assert.deepEqual(empty.json.listNames, []);
      await mail.sql`
      INSERT INTO mail_lists (account_id, id, name, filling_id, created_at)
      SELECT ${other.id}, 1000000 + n, 'list ' || n, 1000000 + n, 0 FROM generate_series(1, 1200) AS n`;
      const { listNames } = (await done(post('GetMailingListNames', '{}', { token: other.mailToken }))).json;
      assert.deepEqual(
        (listNames as { NewListName: string }[]).map((list) => list.NewListName),
        Array.from({ length: 1_200 }, (_, index) => `list ${index + 1}`),
      );
    },
  );

  test('the body is empty', covers('C.GetMailingListNames', 'C.400'), async () => {
    for (const body of ['', ' ', 'null', '{}', '[]']) await done(post('GetMailingListNames', body));
    await refused(() => post('GetMailingListNames', { x: 1 }), 400, /must be empty/);
    await refused(() => post('GetMailingListNames', '{'), 400, /not valid JSON/);
  });
});

describe('TruncateMailingLists', () => {
  test(
    'empties all lists or none immediately, and keeps the others',
    covers('C.TruncateMailingLists'),
    async () => {
      const [one, two, three] = [await newList(), await newList(), await newList()];
      const [shared, own] = [newAddress(), newAddress()];
      await add([one, two, three], [{ EmailAddress: shared, FirstName: 'Dana' }]);
      await add([one], [{ EmailAddress: own, FirstName: 'Avi' }]);
      await refused(
        () => post('TruncateMailingLists', [one, 2_000_000_000]),
        410,
        /there is no mailing list/,
      );
      const answer = await done(post('TruncateMailingLists', [one, two, one]));
      assert.equal(answer.json.data, null);
      assert.deepEqual(
        [await counts(one), await counts(two), await counts(three)],
        [
          [0, 0],
          [0, 0],
          [1, 1],
        ],
      );
      assert.deepEqual(await usersOf(one), []);
      assert.equal((await usersOf(three))[0]!.FirstName, 'Dana');
      // Whether or not they are deleted by now: who is in no list is somebody new.
      await add([one], [shared, own]);
      const names = new Map((await usersOf(one)).map((user) => [user.EmailAddress, user.FirstName]));
      assert.deepEqual([names.get(shared), names.get(own)], ['Dana', '']);
      assert.deepEqual(
        [await counts(one), await countedOf(one)],
        [
          [2, 2],
          [2, 2],
        ],
      );
    },
  );

  const bad: [body: unknown, message: RegExp][] = [
    [undefined, /the body: missing/],
    [[], /the body: must not be empty/],
    [{}, /the body: must be an array/],
    [['-17'], /\[0\]: must be a whole number/],
    [[1.5], /\[0\]: must be a whole number/],
    [[null], /\[0\]: missing/],
    [[[1]], /\[0\]: must be a whole number/],
  ];
  for (const [body, message] of bad) {
    test(`refuses ${JSON.stringify(body)}`, async () =>
      void (await refused(() => post('TruncateMailingLists', body), 400, message)));
  }
});

describe('the API', () => {
  test(
    'the middle segment has aliases, and every path may end with a slash',
    covers('C.MAIL_API_ALIASES'),
    async () => {
      for (const segment of ['Mailer', 'Brand', 'other-brand']) {
        for (const path of ['GetMailingListNames', 'GetMailingListNames/'])
          await done(post(path, '', { segment }));
      }
    },
  );

  test(
    'a token goes with every call, with Bearer or without',
    covers('C.Authorization', 'C.envelope'),
    async () => {
      for (const token of [MAIL_TOKEN, `Bearer ${MAIL_TOKEN}`, `bearer  ${MAIL_TOKEN} `]) {
        await done(post('GetMailingListNames', '', { token }));
      }
      const api = 'the-token-of-the-demo-account';
      for (const token of [null, '', 'Bearer', 'wrong', `Bearer ${api}`, api, `x ${MAIL_TOKEN}`]) {
        for (const call of [
          () => post('CreateMalingList', { IsNewList: true, NewListName: 'x' }, { token }),
          () => post('AddUsersToLists', {}, { token }),
          () => get('GetMailingListByID/?listID=1&type=0', { token }),
          () => post('GetMailingListNames', '', { token }),
          () => post('TruncateMailingLists', [1], { token }),
        ]) {
          await refused(call, 401, /the token is missing or wrong/);
        }
      }
      const used = await fetch(`${mail.url}/v1/contact-lists`, {
        headers: { authorization: `Bearer ${MAIL_TOKEN}` },
      });
      assert.equal(used.status, 401, 'a mail token is none of the other interfaces');
    },
  );

  test('unknown paths, and bodies that are too large or not text', covers('C.envelope'), async () => {
    await refused(() => get('GetMailingListNames'), 400, /nothing at this path/, 404);
    await refused(() => post('Nothing', ''), 400, /nothing at this path/, 404);
    await refused(() => post('CreateMalingList', Buffer.from([0x7b, 0xff])), 400, /UTF-8/);
    await refused(
      () => post('CreateMalingList', `{"x": "${'x'.repeat(21 * 1024 * 1024)}"}`),
      400,
      /over 20 MiB/,
      413,
    );
    await refused(() => post('CreateMalingList', `${'['.repeat(50)}${']'.repeat(50)}`), 400, /nested/);
  });

  test('whatever the content type says', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'nonsense',
      'application/json; charset=x',
    ]) {
      await done(
        post(
          'CreateMalingList',
          { IsNewList: true, NewListName: 'x' },
          { headers: { 'content-type': type } },
        ),
      );
    }
  });
});

{
  const other = await mail.addMailAccount('other');
  const token = other.mailToken;

  describe('between accounts', () => {
    test('lists of another are not there', covers('C.410'), async () => {
      const list = await newList();
      await add(list, [newAddress()]);
      const users = [{ EmailAddress: newAddress() }];
      await refused(
        () => get(`GetMailingListByID/?listID=${list}&type=0`, { token }),
        410,
        /no mailing list/,
      );
      await refused(() => post('TruncateMailingLists', [list], { token }), 410, /no mailing list/);
      await refused(
        () => post('AddUsersToLists', { users, mailingLists: [{ ExistingListID: list }] }, { token }),
        410,
        /no mailing list/,
      );
      const { listNames } = (await done(post('GetMailingListNames', '', { token }))).json;
      assert.deepEqual(listNames, []);
    });

    test('one address is a user of each', covers('C.AddUsersToLists.known'), async () => {
      const [mine, theirs] = [await newList(), await newList('theirs', token)];
      const address = newAddress();
      const [id] = await add(mine, [{ EmailAddress: address, FirstName: 'mine' }]);
      const [otherId] = await add(theirs, [{ EmailAddress: address, DeleteUser: true }], token);
      assert.notEqual(id, otherId);
      assert.equal((await usersOf(mine, 4))[0]!.FirstName, 'mine');
    });
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { MAIL_TOKEN, newAddress, startMail } from './support.ts';

/* What decisions, section 8, adds to the interface's part C. */

const mail = await startMail({ MAIL_API_ALIASES: 'Brand' });
const { get, post, done, refused, newList, add, usersOf } = mail;

test(
  'names of fields are matched without case; of two spellings the documented one counts',
  covers('amendments.mail API'),
  async () => {
    const made = await done(
      post('CreateMalingList', {
        isnewlist: true,
        newListName: 'other',
        NewListName: 'News',
        NEWLISTDESCRIPTION: 'd',
      }),
    );
    const [list] = (made.json.data as { mailingLists: number[] }).mailingLists;
    const address = newAddress();
    const user = {
      emailaddress: address,
      FIRSTNAME: 'Dana',
      userSendFields: [{ key: 'city', VALUE: 'Haifa' }],
      undeleteuserifexists: null,
    };
    await done(post('AddUsersToLists', { Users: [user], MAILINGLISTS: [{ existingListId: String(list) }] }));
    const [shown] = await usersOf(list!);
    assert.deepEqual(
      [shown!.EmailAddress, shown!.FirstName, shown!.UserSendFields],
      [address, 'Dana', [{ Key: 'city', Value: 'Haifa' }]],
    );
    const named = await done(get(`GetMailingListByID/?LISTID=${list}&Type=0`));
    assert.equal((named.json.users as unknown[]).length, 1);
    const { listNames } = (await done(post('GetMailingListNames'))).json;
    const own = (listNames as Record<string, unknown>[]).find(({ ExistingListID: id }) => id === list);
    assert.deepEqual([own!.NewListName, own!.NewListDescription], ['News', 'd']);
    await refused(
      () =>
        post('AddUsersToLists', {
          USERS: [{ emailAddress: 'nobody' }],
          mailinglists: [{ existinglistid: list }],
        }),
      400,
      /users\[0\]\.EmailAddress: not an e-mail address/,
    );
  },
);

test(
  'segments of paths are matched without case, also those of an alias',
  covers('amendments.mail API'),
  async () => {
    const list = await newList('cased');
    for (const path of [
      'mailer/getmailinglistbyid',
      'MAILER/GETMAILINGLISTBYID/',
      'brand/GetMailingListById',
    ]) {
      const response = await fetch(`${mail.url}/API/${path}?listID=${list}&type=0`, {
        headers: { authorization: MAIL_TOKEN },
      });
      const answer = (await response.json()) as { success: boolean };
      assert.deepEqual([response.status, answer.success], [200, true], path);
    }
    for (const path of ['mailer/nothing', 'mailers/token', 'mailer']) {
      const response = await fetch(`${mail.url}/api/${path}`, { method: 'POST', body: '{}' });
      assert.notEqual(response.status, 200, path);
      await response.arrayBuffer();
    }
  },
);

test(
  'AddUsersToLists accepts a user by id alone; with an address the address counts',
  covers('amendments.mail API'),
  async () => {
    const first = await newList('first');
    const second = await newList('second');
    const addresses = [newAddress(), newAddress()];
    const [one, other] = await add(first, addresses);
    assert.deepEqual(
      await add(second, [
        { UserID: String(other), FirstName: 'Other' },
        { EmailAddress: addresses[0], UserID: other },
      ]),
      [other, one],
    );
    assert.deepEqual(
      new Map((await usersOf(second)).map((user) => [user.EmailAddress, user.FirstName])),
      new Map([
        [addresses[0]!, ''],
        [addresses[1]!, 'Other'],
      ]),
    );
    const lists = [{ ExistingListID: second }];
    const stranger = await mail.addMailAccount('by-id-stranger');
    const [theirs] = await add(
      await newList('theirs', stranger.mailToken),
      [newAddress()],
      stranger.mailToken,
    );
    for (const id of [theirs, 0, -1, 2 ** 40]) {
      await refused(
        () => post('AddUsersToLists', { users: [{ UserID: one }, { UserID: id }], mailingLists: lists }),
        400,
        /users\[1\]\.UserID: there is no such user/,
      );
    }
    await refused(
      () => post('AddUsersToLists', { users: [{ UserID: 'x' }], mailingLists: lists }),
      400,
      /users\[0\]\.UserID: must be a whole number/,
    );
  },
);

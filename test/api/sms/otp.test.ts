import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lanes } from '../../../server/engine/messages/lanes.ts';
import { MASK } from '../../../server/engine/messages/secret-text.ts';
import { covers } from '../../conformance/covers.ts';
import { codesAt, countCodes, lastCode, wrongCodes } from '../../modules/otp/support.ts';
import { countEverything } from '../../support/books.ts';
import { newPhone, newPhones, stored } from '../../support/phones.ts';
import { type Answer, type Content, type Form, forms, startTestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** The interface's chapters B4 and B5, in both forms. */
const service = await startTestService();
const { sql, appContext } = service;

const NOT_VERIFIED = { status: 12, message: 'the code is not verified' };
let made = 0;

/** An account of its own, so that its limits are its own, and its calls. */
async function newAccount(form: Form, credits = 1_000) {
  made += 1;
  const account = await service.addAccount({ username: `codes-${form}-${made}` }, credits);
  const ask = (root: string, content: Content, path = '/api') =>
    service.call(
      form,
      root,
      { user: { username: account.username }, ...content },
      { token: account.token, path },
    );
  return {
    id: account.id,
    ask,
    send: (phone: string, more: Content = {}) => ask('send_otp', { phone, source: 'Shop', ...more }),
    validate: (phone: string, code: string | number, more: Content = {}) =>
      ask('validate_otp', { phone, code, ...more }),
    code: (phone: string) => lastCode(service, account.id, phone),
    counted: () => countCodes(sql, account.id, appContext.clock.now()),
    balance: () => service.balance(account.id),
  };
}

const said = (answer: Answer) => ({ status: answer.status, message: answer.message });
const statuses = (answers: readonly Answer[]) => answers.map((answer) => answer.status).sort((a, b) => a - b);

for (const form of forms) {
  test(
    `${form}: a code reaches the phone, is verified once, and is nowhere else`,
    covers('B4.answer', 'B4.validated'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      const answer = await account.send(phone);
      assert.equal(answer.status, 0, answer.message);
      assert.deepEqual(Object.keys(answer.fields), ['status', 'message']);
      const [sms] = await waitFor('the code arrives', async () => {
        const arrived = await service.phone(phone);
        return arrived.length > 0 && arrived;
      });
      assert.equal(sms!.from, 'Shop');
      const code = /^Your verification code is ([1-9]\d{5})$/.exec(sms!.text)?.[1];
      assert.ok(code, sms!.text);
      assert.ok(!JSON.stringify(answer.fields).includes(code));
      assert.equal(await account.balance(), 999);
      const [shipment] = await sql<
        { lane: number }[]
      >`SELECT lane FROM shipments WHERE account_id = ${account.id}`;
      assert.equal(shipment!.lane, lanes.otp);
      const [row] = await sql<{ row: Record<string, unknown> }[]>`
      SELECT row_to_json(s) AS row FROM otp_sends s WHERE account_id = ${account.id}`;
      // Ids, times, the phone and the digest may have any six digits by chance.
      const isNumber = (value: string) => /^(\\x)?[0-9a-f]+$/.test(value) && value.length > code.length;
      const values = Object.values(row!.row).map(String);
      assert.deepEqual(
        values.filter((value) => value.includes(code) && !isNumber(value)),
        [],
      );

      const verified = await account.validate(phone, form === 'json' ? Number(code) : code);
      assert.deepEqual(verified.fields, {
        status: form === 'json' ? 0 : '0',
        message: 'the code is verified',
      });
      assert.deepEqual(said(await account.validate(phone, code)), NOT_VERIFIED);
      const [send] = await sql<{ verified_at: number | null }[]>`
      SELECT verified_at FROM otp_sends WHERE account_id = ${account.id}`;
      assert.ok(send!.verified_at);
    },
  );

  test(
    `${form}: the caller's text has the code at every [code], in any spelling of the number`,
    covers('B4.phone', 'B4.text'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      assert.equal((await account.send(`+${stored(phone)}`, { text: 'קוד [code], שוב: [code]' })).status, 0);
      const code = await account.code(phone);
      const [sms] = await service.phone(phone);
      assert.equal(sms!.text, `קוד ${code}, שוב: ${code}`);
      const [message] = await sql<{ text: string; source: string; parts: number }[]>`
      SELECT payload AS text, source, parts FROM messages WHERE account_id = ${account.id}`;
      assert.deepEqual({ ...message }, { text: `קוד ${MASK}, שוב: ${MASK}`, source: 'Shop', parts: 1 });
      assert.equal((await account.validate(stored(phone), code)).status, 0);
    },
  );

  test(`${form}: a long text is paid for by its parts`, covers('B4.text'), async () => {
    const account = await newAccount(form);
    const words = `[code]${'x'.repeat(999)}`;
    assert.equal((await account.send(newPhone(), { text: words })).status, 0);
    assert.equal(await account.balance(), 993);
    assert.equal((await account.send(newPhone(), { text: `${words}x` })).status, 989);
  });

  test(
    `${form}: after max_tries wrong guesses, the right code is invalid`,
    covers('B4.max_tries'),
    async () => {
      const account = await newAccount(form);
      for (const tries of [undefined, 3, 5]) {
        const phone = newPhone();
        await account.send(phone, tries === undefined ? {} : { max_tries: tries });
        const code = await account.code(phone);
        const wrong = wrongCodes(code, tries ?? 3);
        for (const guess of wrong) assert.deepEqual(said(await account.validate(phone, guess)), NOT_VERIFIED);
        assert.deepEqual(said(await account.validate(phone, code)), NOT_VERIFIED);

        const lucky = newPhone();
        await account.send(lucky, tries === undefined ? {} : { max_tries: tries });
        const right = await account.code(lucky);
        for (const guess of wrongCodes(right, (tries ?? 3) - 1)) await account.validate(lucky, guess);
        assert.equal((await account.validate(lucky, right)).status, 0, 'the last try counts');
      }
    },
  );

  test(`${form}: a code is good for valid_time minutes, 5 by default`, covers('B4.valid_time'), async () => {
    const account = await newAccount(form);
    for (const minutes of [undefined, 1, 15]) {
      const [early, late] = [newPhone(), newPhone()];
      for (const phone of [early, late]) await account.send(phone, minutes ? { valid_time: minutes } : {});
      await service.advance((minutes ?? 5) * 60 - 20);
      assert.equal((await account.validate(early, await account.code(early))).status, 0);
      await service.advance(20);
      assert.deepEqual(said(await account.validate(late, await account.code(late))), NOT_VERIFIED);
    }
  });

  test(
    `${form}: a new code replaces the one before, tries and all; applications do not share codes`,
    covers('B4.app_id', 'B4.replaced'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      await account.send(phone);
      const first = await account.code(phone);
      for (const guess of wrongCodes(first, 3)) await account.validate(phone, guess);
      await account.send(phone, { app_id: 1 });
      const second = await account.code(phone);
      await account.send(phone, { app_id: 7 });
      const other = await account.code(phone);
      if (first !== second) assert.equal((await account.validate(phone, first)).status, 12);
      if (second !== other) assert.equal((await account.validate(phone, second, { app_id: 7 })).status, 12);
      assert.equal((await account.validate(phone, other, { app_id: 7 })).status, 0);
      assert.equal((await account.validate(phone, second)).status, 0);
    },
  );

  test(
    `${form}: wrong, used, expired, out of tries, never sent and of another account: one answer`,
    covers('B4.not validated', 'status.12'),
    async () => {
      const [account, stranger] = [await newAccount(form), await newAccount(form)];
      const [used, guessed, expired, wrong] = newPhones(4) as [string, string, string, string];
      for (const phone of [used, guessed, expired, wrong]) await account.send(phone, { valid_time: 2 });
      const code = await account.code(used);
      assert.deepEqual(said(await stranger.validate(used, code)), NOT_VERIFIED);
      assert.equal((await account.validate(used, code)).status, 0);
      const guesses = wrongCodes(await account.code(guessed), 3);
      for (const guess of guesses) await account.validate(guessed, guess);
      const answers = [
        await account.validate(used, code),
        await account.validate(guessed, await account.code(guessed)),
        await account.validate(wrong, wrongCodes(await account.code(wrong), 1)[0]!),
        await account.validate(newPhone(), '123456'),
      ];
      await service.advance(120);
      answers.push(await account.validate(expired, await account.code(expired)));
      for (const answer of answers) {
        assert.equal(answer.http, 200);
        assert.deepEqual(said(answer), NOT_VERIFIED);
        assert.deepEqual(answer.fields, answers[0]!.fields);
      }
    },
  );

  test(
    `${form}: every field that is missing or out of its bounds, and nothing is stored`,
    covers('B4.phone', 'B4.source', 'B4.app_id', 'B4.max_tries', 'B4.valid_time', 'B4.text', 'B4.code'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      await account.send(phone);
      const good = { phone, source: 'Shop' };
      const check = { phone, code: '123456' };
      const refused: [string, Content, number, RegExp][] = [
        ['send_otp', { source: 'Shop' }, 2, /^phone: missing/],
        ['send_otp', { ...good, phone: '' }, 2, /^phone: missing/],
        ['send_otp', { ...good, phone: '05012' }, 9, /^phone/],
        ['send_otp', { ...good, phone: 'abc' }, 9, /^phone/],
        ['send_otp', { ...good, phone: '+442071838750' }, 9, /^phone.*includes_international/],
        ['send_otp', { phone }, 2, /^source: missing/],
        ['send_otp', { phone, source: '' }, 992, /^source/],
        ['send_otp', { phone, source: 'TwelveLetter' }, 992, /^source/],
        ['send_otp', { phone, source: 'a b' }, 992, /^source/],
        ['send_otp', { ...good, max_tries: 2 }, 2, /^max_tries/],
        ['send_otp', { ...good, max_tries: 6 }, 2, /^max_tries/],
        ['send_otp', { ...good, max_tries: 'x' }, 2, /^max_tries/],
        ['send_otp', { ...good, valid_time: 0 }, 2, /^valid_time/],
        ['send_otp', { ...good, valid_time: 16 }, 2, /^valid_time/],
        ['send_otp', { ...good, valid_time: 1.5 }, 2, /^valid_time/],
        ['send_otp', { ...good, app_id: -1 }, 2, /^app_id/],
        ['send_otp', { ...good, app_id: 2 ** 31 }, 2, /^app_id/],
        ['send_otp', { ...good, app_id: 'shop' }, 2, /^app_id/],
        ['send_otp', { ...good, text: 'your code' }, 2, /^text: must contain \[code\]/],
        ['send_otp', { ...good, text: `[code]${'x'.repeat(1_000)}` }, 989, /^text/],
        ['validate_otp', { code: '123456' }, 2, /^phone: missing/],
        ['validate_otp', { phone }, 2, /^code: missing/],
        ['validate_otp', { ...check, phone: '05012' }, 9, /^phone/],
        ['validate_otp', { ...check, code: '12345' }, 2, /^code: must be 6 digits/],
        ['validate_otp', { ...check, code: '1234567' }, 2, /^code: must be 6 digits/],
        ['validate_otp', { ...check, code: 'abcdef' }, 2, /^code: must be 6 digits/],
        ['validate_otp', { ...check, code: '-12345' }, 2, /^code: must be 6 digits/],
        ['validate_otp', { ...check, app_id: 'x' }, 2, /^app_id/],
      ];
      const before = [await countEverything(sql), await account.counted()];
      for (const path of ['/api', '/api/test']) {
        for (const [root, content, status, field] of refused) {
          const answer = await account.ask(root, content, path);
          assert.equal(answer.status, status, `${root} ${JSON.stringify(content)}: ${answer.message}`);
          assert.match(answer.message, field);
        }
      }
      assert.deepEqual([await countEverything(sql), await account.counted()], before);
      assert.equal((await account.validate(phone, await account.code(phone))).status, 0, 'no try was lost');
    },
  );

  test(`${form}: codes are sent abroad with includes_international`, covers('B4.phone'), async () => {
    const account = await newAccount(form);
    assert.equal((await account.send('+442071838750', { includes_international: 1 })).status, 0);
    const [message] = await sql<
      { phone: string }[]
    >`SELECT recipient AS phone FROM messages WHERE account_id = ${account.id}`;
    assert.equal(message!.phone, '442071838750');
  });

  test(
    `${form}: five codes an hour to a phone, in a window that moves`,
    covers('B4.limit.phone', 'B4.pumping.told', 'status.5'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      assert.equal((await account.send(phone)).status, 0);
      await service.advance(1_800);
      for (let sent = 1; sent < 5; sent++) {
        assert.equal((await account.send(phone, { app_id: sent })).status, 0);
      }
      const before = await account.counted();
      const answer = await account.send(phone);
      assert.deepEqual([answer.status, answer.message.split(':')[0]], [5, 'phone']);
      assert.deepEqual(await account.counted(), { ...before, blocks: 1 });
      assert.equal((await account.send(newPhone())).status, 0, 'others are not held up');
      assert.equal((await account.send(phone)).status, 5);
      await service.advance(1_800);
      assert.equal((await account.send(phone)).status, 0, 'the first is over an hour ago');
      assert.equal((await account.send(phone)).status, 5, 'the others are not');
    },
  );

  test(`${form}: twenty codes a minute of an account`, covers('B4.limit.account'), async () => {
    const [account, other] = [await newAccount(form), await newAccount(form)];
    for (const phone of newPhones(20)) assert.equal((await account.send(phone)).status, 0);
    assert.equal((await account.send(newPhone())).status, 5);
    assert.equal((await other.send(newPhone())).status, 0, 'the limit is of the account');
    await service.advance(60);
    assert.equal((await account.send(newPhone())).status, 0);
  });

  test(
    `${form}: without credit a send is 4, and is as if it had never been`,
    covers('B4.credit'),
    async () => {
      const account = await newAccount(form, 1);
      const [phone, fresh] = [newPhone(), newPhone()];
      assert.equal((await account.send(phone)).status, 0);
      const code = await account.code(phone);
      await account.validate(phone, wrongCodes(code, 1)[0]!);
      const before = [await countEverything(sql), await account.counted()];
      // Were one of them counted, the fifth would be 5.
      for (let again = 0; again < 6; again++) {
        assert.equal((await account.send(phone, { max_tries: 5, valid_time: 15 })).status, 4);
        assert.equal((await account.send(fresh)).status, 4);
      }
      assert.deepEqual([await countEverything(sql), await account.counted()], before);
      const rows =
        await sql`SELECT 1 FROM otp_sends WHERE account_id = ${account.id} AND phone = ${stored(fresh)}`;
      assert.equal(rows.length, 0, 'no code that nobody was sent');
      // One of three tries is gone; the refused sends gave none back.
      await account.validate(phone, wrongCodes(code, 2)[1]!);
      assert.equal((await account.validate(phone, code)).status, 0, 'the code before counts');
    },
  );

  test(
    `${form}: a number on the blacklist is 8, and is as if nothing had been asked`,
    covers('B4.blacklist'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      await account.ask('addNumBL', { phones: { phone } });
      const before = [await countEverything(sql), await account.counted()];
      for (let again = 0; again < 6; again++) assert.equal((await account.send(phone)).status, 8);
      assert.deepEqual([await countEverything(sql), await account.counted()], before);
    },
  );

  test(`${form}: a suspended account sends no codes`, covers('B4.suspended'), async () => {
    const account = await newAccount(form);
    await appContext.accounts.suspend(account.id, true);
    assert.equal((await account.send(newPhone())).status, 5);
  });

  test(
    `${form}: a dry run makes the checks, stores nothing, and is no way to guess`,
    covers('B4.dry run'),
    async () => {
      const account = await newAccount(form, 5);
      const phone = newPhone();
      const dry = (root: string, content: Content) => account.ask(root, content, '/api/test');
      for (let sent = 0; sent < 5; sent++) await account.send(phone);
      const code = await account.code(phone);
      const before = [await countEverything(sql), await account.counted()];
      assert.equal((await dry('send_otp', { phone, source: 'Shop' })).status, 5);
      assert.equal((await dry('send_otp', { phone: newPhone(), source: 'Shop' })).status, 4);
      await appContext.wallets.topUp(account.id, 10_000, 'test');
      const answer = await dry('send_otp', { phone: newPhone(), source: 'Shop' });
      assert.deepEqual([answer.status, Object.keys(answer.fields)], [0, ['status', 'message']]);
      for (const guess of [code, ...wrongCodes(code, 5)]) {
        assert.deepEqual(said(await dry('validate_otp', { phone, code: guess })), NOT_VERIFIED);
      }
      const [everything, counted] = [await countEverything(sql), await account.counted()];
      assert.deepEqual(counted, before[1]);
      assert.deepEqual(everything.messages, (before[0] as { messages: unknown }).messages);
      assert.equal((await account.validate(phone, code)).status, 0, 'no try was lost');
    },
  );

  test(
    `${form}: of fifty concurrent attempts with the right code, one is verified`,
    covers('B4.validated'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      await account.send(phone);
      const code = await account.code(phone);
      const answers = await Promise.all(Array.from({ length: 50 }, () => account.validate(phone, code)));
      assert.deepEqual(statuses(answers), [0, ...Array(49).fill(12)]);
    },
  );

  test(
    `${form}: concurrent wrong guesses use no more than the available tries`,
    covers('B4.not validated'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      await account.send(phone, { max_tries: 5 });
      const code = await account.code(phone);
      await Promise.all(wrongCodes(code, 4).map((guess) => account.validate(phone, guess)));
      const left = async () => {
        const [row] = await sql<{ tries_left: number }[]>`
        SELECT tries_left FROM otp_sends WHERE account_id = ${account.id}`;
        return row!.tries_left;
      };
      assert.equal(await left(), 1);
      await Promise.all(wrongCodes(code, 40).map((guess) => account.validate(phone, guess)));
      assert.equal(await left(), 0);
      assert.deepEqual(said(await account.validate(phone, code)), NOT_VERIFIED);
    },
  );

  test(
    `${form}: concurrent sends pass no limit`,
    covers('B4.limit.phone', 'B4.limit.account', 'B4.pumping'),
    async () => {
      const account = await newAccount(form);
      const phone = newPhone();
      const toOne = await Promise.all(Array.from({ length: 20 }, () => account.send(phone)));
      assert.deepEqual(statuses(toOne), [...Array(5).fill(0), ...Array(15).fill(5)]);
      const toMany = await Promise.all(newPhones(40).map((each) => account.send(each)));
      assert.deepEqual(statuses(toMany), [...Array(15).fill(0), ...Array(25).fill(5)]);
      assert.equal(await account.balance(), 980);
    },
  );

  test(
    `${form}: concurrent sends with credit for some: each refused one leaves nothing behind`,
    covers('B4.credit'),
    async () => {
      const account = await newAccount(form, 7);
      const phones = newPhones(15);
      const answers = await Promise.all(phones.map((phone) => account.send(phone)));
      assert.deepEqual(statuses(answers), [...Array(7).fill(0), ...Array(8).fill(4)]);
      const counted = await account.counted();
      assert.deepEqual(counted, { sends: 7, spent: 7, codes: 7, blocks: 0 });
      for (const [index, phone] of phones.entries()) {
        if (answers[index]!.status !== 0) continue;
        assert.equal((await account.validate(phone, await account.code(phone))).status, 0);
      }
    },
  );

  test(`${form}: concurrent sends to one phone, some refused: of the sent codes one counts`, async () => {
    const account = await newAccount(form, 3);
    const phone = newPhone();
    const answers = await Promise.all(Array.from({ length: 5 }, () => account.send(phone, { max_tries: 5 })));
    assert.deepEqual(statuses(answers), [0, 0, 0, 4, 4]);
    const checked: Answer[] = [];
    for (const code of await codesAt(service, account.id, phone))
      checked.push(await account.validate(phone, code));
    assert.deepEqual(statuses(checked), [0, 12, 12]);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shipmentStates } from '../../../server/engine/messages/shipment-states.ts';
import { formatLocal } from '../../../server/kit/time-zones.ts';
import { covers } from '../../conformance/covers.ts';
import { stored } from '../../support/phones.ts';
import {
  type Body,
  newChatPhone,
  newClient,
  SOURCE,
  startChat,
  startFiles,
  templateId,
  website,
} from './support.ts';

/** A3: the API of template campaigns; their outcome is in test/channels/chat. */
const chat = await startChat();
const files = await startFiles();
const path = 'create-campaign-wa';

const campaign = (more: Body = {}): Body => ({
  source: SOURCE,
  destinations: { phones: [newClient()] },
  campaign_message: templateId('plain'),
  campaign_name: 'Spring',
  future_campaign: 'instant',
  ...more,
});

async function accepted(more: Body, sum: number) {
  const { http, json } = await chat.post(path, campaign(more));
  assert.deepEqual([http, json], [200, { data: { success: true, sum } }]);
}

async function refused(more: Body, message: RegExp) {
  const before = await countCampaigns();
  const { http, json } = await chat.post(path, campaign(more));
  const { data } = json as { data: { success: boolean; sum: number; message: string } };
  const what = JSON.stringify(more).slice(0, 200);
  assert.deepEqual([http, data.success, data.sum], [200, false, 0], what);
  assert.match(data.message, message, what);
  assert.deepEqual(Object.keys(json), ['data']);
  assert.deepEqual(await countCampaigns(), before);
}

/** What accepting one adds; others go on meanwhile. */
async function countCampaigns() {
  const [row] = await chat.sql`
    SELECT (SELECT count(*) FROM campaigns) AS campaigns, (SELECT count(*) FROM shipments) AS shipments,
      (SELECT count(*) FROM ledger WHERE kind = 'hold') AS holds`;
  return { ...row };
}

async function newList(contacts: readonly (string | Record<string, string>)[]): Promise<string> {
  const destination = contacts.map((contact) => (typeof contact === 'string' ? { phone: contact } : contact));
  const answer = await chat.call('json', 'newCL', { cl: { name: 'list', destinations: { destination } } });
  return (answer.fields.identifiers as string[])[0]!;
}

test('phones and lists: each number once, and it arrives', covers('A3.answer', 'chat.campaign'), async () => {
  const [both, listed] = [newChatPhone(), newChatPhone()];
  const single = newClient();
  const list = await newList([both, listed]);
  const destinations = { phones: [single, stored(both), ` ${single} `], cl: [list, list] };
  await accepted({ destinations }, 3);
  for (const phone of [single, stored(both), stored(listed)]) {
    const [received] = await chat.arrived(phone);
    assert.equal(received!.body, 'Your order is on its way.');
  }
});

test(
  'a single entry may be bare, a number a number, and what is no phone number is counted',
  covers('A3.destinations'),
  async () => {
    await accepted({ destinations: { phones: newClient() } }, 1);
    await accepted({ destinations: { phones: [Number(newClient()), '', null, 'abc'] } }, 2);
    const list = await newList([newChatPhone()]);
    await accepted({ destinations: { cl: list } }, 1);
    await accepted({ destinations: { cl: [Number(list)], phones: [] } }, 1);
  },
);

test(
  'refused: source, destinations, template',
  covers('A3.source, destinations, campaign_message'),
  async () => {
    for (const source of [undefined, '', 'x', {}, '972550000002']) await refused({ source }, /^source: /);
    for (const destinations of [
      undefined,
      null,
      '',
      {},
      'x',
      ['972501234567'],
      { phones: [] },
      { phones: ['abc'] },
      { phones: [{}] },
      { phones: [['972501234567']] },
      { cl: ['1'] },
      { cl: ['x'], phones: [newClient()] },
      { cl: [{}] },
    ]) {
      await refused({ destinations }, /^destinations/);
    }
    await refused({ destinations: { cl: [await newList([])] } }, /^destinations/);
    for (const campaign_message of [undefined, '', 'x', {}, templateId('pending')]) {
      await refused({ campaign_message }, /^campaign_message: /);
    }
  },
);

test('over 100,000 phones in a request', covers('A3.destinations'), async () => {
  await refused({ destinations: { phones: Array(100_001).fill('1') } }, /^destinations\.phones: .*100000/);
});

test('the name: 50 characters', covers('A3.campaign_name'), async () => {
  for (const campaign_name of ['x'.repeat(51), {}, ['x']])
    await refused({ campaign_name }, /^campaign_name: /);
  for (const campaign_name of [undefined, '', 7, 'x'.repeat(50)]) await accepted({ campaign_name }, 1);
});

test(
  'dynamic headers: by the name of the column or as df1, of lists alone',
  covers('A3.dynamicHeaders'),
  async () => {
    const [phone, other] = [newChatPhone(), newChatPhone()];
    const list = await newList([
      { phone, df1: 'Dana', df2: '1234' },
      { phone: other, df1: 'Noa', df2: '99' },
    ]);
    const destinations = { cl: [list] };
    const two = { campaign_message: templateId('two'), destinations };
    for (const dynamicHeaders of [{ '1': 'df1', '2': 'df2' }, '{"1": "df1", "2": "df2"}']) {
      await accepted({ ...two, dynamicHeaders }, 2);
    }
    const [received] = await chat.arrived(stored(phone));
    assert.equal(received!.body, 'Hello Dana, your order 1234 is on its way.');
    for (const dynamicHeaders of [
      'x',
      [],
      7,
      { x: 'df1' },
      { '1': ['df1'] },
      { '1': 'df7' },
      { '1': 'nowhere' },
    ]) {
      await refused({ ...two, dynamicHeaders }, /^dynamicHeaders: /);
    }
    await refused(
      { campaign_message: templateId('two'), dynamicHeaders: { '1': 'df1', '2': 'df2' } },
      /^dynamicHeaders: /,
    );
    await refused({ ...two, dynamicHeaders: undefined }, /variable/);
  },
);

test(
  'dynamic headers: surplus ones are ignored, and default names of columns are accepted',
  covers('amendments.dynamicHeaders'),
  async () => {
    const phone = newChatPhone();
    const destinations = { cl: [await newList([{ phone, df1: 'Dana', df2: '1234' }])] };
    const two = { campaign_message: templateId('two'), destinations };
    const surplus = { '3': 'nowhere', '4': null, '5': '', '6': 'df1' };
    await accepted({ ...two, dynamicHeaders: { '1': 'שדה דינמי 1', '2': 'df2', ...surplus } }, 1);
    const [received] = await chat.arrived(stored(phone));
    assert.equal(received!.body, 'Hello Dana, your order 1234 is on its way.');
    // Not even a list is needed for those that nothing is made of.
    await accepted({ campaign_message: templateId('plain'), dynamicHeaders: { '1': 'df1' } }, 1);
    for (const dynamicHeaders of [
      { '1': 'שדה דינמי 7', '2': 'df2' },
      { '1': 'df1', ...surplus },
    ]) {
      await refused({ ...two, dynamicHeaders }, /^dynamicHeaders: |variable 2/);
    }
  },
);

test('the link of a media header is looked at', covers('A3.header_link'), async () => {
  await chat.addTemplate('picture', { header: { kind: 'image', sample: '' } });
  const picture = { campaign_message: templateId('picture') };
  await accepted({ ...picture, header_link: ` ${files}/10/a.jpg ` }, 1);
  for (const header_link of [
    undefined,
    '',
    {},
    'x',
    `${files}/10/a.mp4`,
    `${files}/nothing.jpg`,
    `${files}/6000000/a.jpg`,
  ]) {
    await refused({ ...picture, header_link }, /^header(_link|Link): /);
  }
});

test('now or at a time', covers('A3.future_campaign, from_date'), async () => {
  const later = Date.now() + 3 * 86_400_000;
  const from_date = formatLocal(later, 'Asia/Jerusalem').replace(/^(..\/..)\/(..) /, '$1/20$2 ');
  await accepted({ future_campaign: 'future', from_date }, 1);
  const [row] = await chat.sql`SELECT state, due_at FROM shipments WHERE lane = 2 ORDER BY id DESC LIMIT 1`;
  assert.deepEqual(
    [row!.state, row!.due_at],
    [shipmentStates.scheduled, Math.floor(later / 60_000) * 60_000],
  );
  await accepted({ from_date: 'not looked at' }, 1);
  await accepted({ future_campaign: 'future', from_date: '01/01/2020 10:00' }, 1);
  for (const from_date of [undefined, '', 'x', '2030-01-01 10:00', '31/02/2030 10:00', {}]) {
    await refused({ future_campaign: 'future', from_date }, /^from_date: /);
  }
  for (const future_campaign of [undefined, '', 'later', {}, true]) {
    await refused({ future_campaign }, /^future_campaign: /);
  }
});

test(
  'coupons: one for all, or by a dynamic field',
  covers('A3.couponCode, couponExpiration, couponType'),
  async () => {
    const couponExpiration = '31/12/2036 23:59';
    const coupon = { campaign_message: templateId('coupon'), couponExpiration };
    await accepted({ ...coupon, couponCode: 250000 }, 1);
    await accepted({ ...coupon, couponCode: '250000', couponType: 1 }, 1);
    const list = await newList([{ phone: newChatPhone(), df4: '777' }]);
    await accepted({ ...coupon, couponCode: '4', couponType: '2', destinations: { cl: list } }, 1);
    for (const couponCode of [undefined, '', 'abc', '1'.repeat(16), {}]) {
      await refused({ ...coupon, couponCode }, /^couponCode: /);
    }
    await refused(
      { ...coupon, couponCode: '9', couponType: '2', destinations: { cl: list } },
      /^couponCode: /,
    );
    await refused({ ...coupon, couponCode: '4', couponType: '2' }, /^couponCode: /);
    for (const couponType of ['3', 'x', {}])
      await refused({ ...coupon, couponCode: '1', couponType }, /^couponType: /);
    for (const bad of [undefined, '', 'x', '01/01/2020 10:00', {}]) {
      await refused({ ...coupon, couponCode: '1', couponExpiration: bad }, /^couponExpiration: /);
    }
  },
);

test(
  'variables of website buttons by a dynamic field',
  covers('A3.websiteVariable, websiteVariable2'),
  async () => {
    const list = await newList([{ phone: newChatPhone(), df1: 'a', df2: 'b' }]);
    const destinations = { cl: list };
    await accepted({ campaign_message: templateId('website'), websiteVariable: 1, destinations }, 1);
    const address = (name: string) => website(`https://www.example.com/${name}/`, true);
    await chat.addTemplate('sites', { buttons: [address('one'), address('two')] });
    const sites = { campaign_message: templateId('sites'), destinations };
    await accepted({ ...sites, websiteVariable: '1', websiteVariable2: '2' }, 1);
    for (const bad of [undefined, '', '7', 'x', {}]) {
      await refused({ ...sites, websiteVariable: bad, websiteVariable2: '2' }, /^websiteVariable: /);
      await refused({ ...sites, websiteVariable: '1', websiteVariable2: bad }, /^websiteVariable2: /);
    }
  },
);

test('without credit for all of it, or suspended', covers('A3.credit'), async () => {
  const { wallets, accounts } = chat.appContext;
  const everything = await wallets.balance(chat.demo.id);
  await wallets.topUp(chat.demo.id, -everything, 'test');
  // What earlier campaigns give back is not enough for so many.
  const phones = Array.from({ length: 2_000 }, (_, index) => `97254${2_000_000 + index}`);
  await refused({ destinations: { phones } }, /credit/);
  await wallets.topUp(chat.demo.id, everything, 'test');
  await accounts.suspend(chat.demo.id, true);
  await refused({}, /suspended/);
  await accounts.suspend(chat.demo.id, false);
});

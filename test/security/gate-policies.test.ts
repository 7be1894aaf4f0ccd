import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newClient, SOURCE, startChat, templateId } from '../chat-api/support.ts';
import { mailAt, newAddress, v1At } from '../mailing/campaign-support.ts';
import { hoursFrom } from '../sending-policy/support.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { asPerson, withToken } from '../v1/calls.ts';
import type { AttemptName } from './gate-callers.ts';

/*
 * Every caller of the gate is tried under every rule that the gate has beside suspension: the table below says what comes of each
 * attempt. `sent` under a rule is an exemption, for which the caller shows evidence.
 */

const service = await startChat({ VERIFY_SOURCES: 'on' });
const { sql, demo, appContext } = service;
const calls = withToken(service.url, DEMO_TOKEN);
const owner = await asPerson(service, 'owner', demo.id);
const mail = mailAt(v1At(service.url));
const NUMBER = '972552009999';
const FROM = 'news@shop.example';
await appContext.sources.approve(demo.id, 'Shop');
await appContext.sources.approve(demo.id, NUMBER, { incoming: true });
await appContext.sources.approve(demo.id, FROM);

/** A rule of the gate: the policy that the account has meanwhile, and what the send is like. */
interface Rule {
  readonly policy?: object;
  /** Recipients of its own. */
  readonly phone?: () => string;
  readonly international?: boolean;
  readonly sender?: string;
  /** Whether the recipient is on the blacklist. */
  readonly blacklisted?: boolean;
  /** Whether the recipient got a message just before. */
  readonly twice?: boolean;
}

let made = 0;
const rules = {
  'no rule': {},
  country: { phone: () => `4479460${String(10_000 + ++made)}` },
  'denied range': { phone: () => `44701234${String(1_000 + ++made)}`, international: true },
  sender: { sender: 'Stranger' },
  blacklist: { blacklisted: true },
  'quiet hours': {
    policy: { hours: hoursFrom(appContext.clock, 3).week, outside_hours: 'refuse', applies_to: 'all' },
  },
  cap: {
    policy: {
      caps: [{ messages: 1, hours: 24, channel: null }],
      over_cap: 'refuse',
      applies_to: 'all',
    },
    twice: true,
  },
  consent: { policy: { consent: 'marketing', applies_to: 'all' } },
} as const satisfies Readonly<Record<string, Rule>>;
type RuleName = keyof typeof rules;

/** What an attempt gets: its recipient, and the rule that it is under. */
interface Attempted extends Rule {
  readonly to: string;
}

/** Attempts by name: the code that a request is refused with; undefined when it is accepted. */
type Try = (attempted: Attempted) => Promise<string | undefined>;

const codeOf = async (answer: Promise<Response>): Promise<string | undefined> => {
  const response = await answer;
  if (response.ok) return undefined;
  const { error } = (await response.json()) as { error: { code: string } };
  return error.code;
};
const post = (path: string, body: object) => codeOf(owner.fetch('POST', path, body));
const listOf = async (phone: string) => {
  const { id } = await owner.post<{ id: string }>('/contact-lists', { name: `list ${++made}` });
  await owner.post(`/contact-lists/${id}/contacts`, { contacts: [{ phone }] });
  return id;
};
const sms = ({ sender = 'Shop', international = false }: Attempted) => ({
  source: sender,
  message: 'hello',
  includes_international: international,
});
/** The campaign of a mailing list with one address: a second one of the same address goes to the same list. */
const mailLists = new Map<string, string>();
const mailListOf = async (address: string) => {
  const known = mailLists.get(address);
  if (known !== undefined) return known;
  const id = await mail.list([{ email: address }]);
  mailLists.set(address, id);
  return id;
};
const mailContent = ({ sender }: Attempted) => ({
  from: { name: 'Shop', address: sender === undefined ? FROM : 'stranger@else.example' },
  subject: 'Hi',
  text: 'Hi',
});

const attempts = {
  sms: (one) => post('/sms', { ...sms(one), phones: [one.to] }),
  call: (one) => post('/sms', { ...sms(one), phones: [one.to], tts: { type: 4 } }),
  'contact list': async (one) => post('/sms', { ...sms(one), lists: [await listOf(one.to)] }),
  code: (one) => {
    const { source, includes_international } = sms(one);
    return post('/otp', { phone: one.to, source, includes_international });
  },
  verification: ({ to, international = false }) =>
    post('/sources/verify', { phones: [to], includes_international: international }),
  'reply in a conversation': async ({ to, international = false }) => {
    const begun = { channel: 'sms', sender: NUMBER, client: to };
    const { id } = await owner.post<{ id: string }>('/conversations', begun);
    const body = { text: 'hello', includes_international: international };
    return post(`/conversations/${id}/replies`, body);
  },
  'alert test': async ({ to }) => {
    const recipients = { mails: [], phones: [to] };
    const rule = { name: `low ${++made}`, kind: 'low-balance', thresholds: { below: '1' }, recipients };
    const { id } = await owner.post<{ id: string }>('/alert-rules', rule);
    const at = appContext.clock.now();
    await sql`UPDATE alert_contacts SET confirmed_at = ${at}, due_at = NULL WHERE recipient = ${key(to)}`;
    await owner.post(`/alert-rules/${id}/test`);
    const [row] = await waitFor('it is tried', async () => {
      const rows = await sql<{ state: string; problem: string | null }[]>`
        SELECT state, problem FROM alert_notifications
        WHERE account_id = ${demo.id} AND rule_id = ${id} AND (problem IS NOT NULL OR state = 'sent')`;
      return rows.length > 0 && rows;
    });
    return row!.problem ?? undefined;
  },
  'chat message': ({ to, sender }) =>
    post('/chat/messages', {
      source: sender === undefined ? SOURCE : '972550009998',
      to,
      template_id: templateId('plain'),
    }),
  'chat campaign': ({ to, sender }) =>
    post('/chat/campaigns', {
      source: sender === undefined ? SOURCE : '972550009998',
      phones: [to],
      template_id: templateId('plain'),
    }),
  'mail campaign': async (one) =>
    post('/mail/campaigns', { ...mailContent(one), lists: [await mailListOf(one.to)] }),
  'mail test': (one) => post('/mail/campaigns/test', { ...mailContent(one), to: [one.to] }),
} as const satisfies Partial<Record<AttemptName | 'call' | 'contact list', Try>>;
type Tried = keyof typeof attempts;

/** Attempts of the walk with a suspended account that have no recipient to try here. */
const untried: Readonly<Record<Exclude<AttemptName, Tried>, string>> = {
  'mail confirmation': 'the service writes it in its own name to who asked for it, and it is exempt',
  'next step of a campaign': 'the attempts with campaigns are made of such steps',
  file: 'nothing is sent',
  speech: 'nothing is sent',
};

/** Outcomes: the code of a refused request, the code or status of a message that failed, `sent`, or `waits`. */
const EXEMPT = 'sent';
const SENT = 'sent';
const WAITS = 'waits';
/** Rules that a channel does not have. */
const noRule = null;
const expected: Readonly<Record<Tried, Readonly<Record<Exclude<RuleName, 'no rule'>, string | null>>>> = {
  sms: {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: 'source-not-verified',
    blacklist: 'all-blocked',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'not-now',
  },
  call: {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: 'source-not-verified',
    blacklist: 'all-blocked',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'not-now',
  },
  'contact list': {
    country: '998',
    'denied range': 'DENIED_RANGE',
    sender: 'source-not-verified',
    blacklist: '201',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'NO_CONSENT',
  },
  code: {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: 'source-not-verified',
    blacklist: 'all-blocked',
    'quiet hours': EXEMPT,
    cap: EXEMPT,
    consent: EXEMPT,
  },
  verification: {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: noRule,
    blacklist: 'all-blocked',
    'quiet hours': EXEMPT,
    cap: EXEMPT,
    consent: EXEMPT,
  },
  'reply in a conversation': {
    country: 'bad-destination',
    'denied range': 'bad-destination',
    sender: noRule,
    blacklist: 'all-blocked',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'not-now',
  },
  'alert test': {
    country: EXEMPT,
    'denied range': 'refused',
    sender: noRule,
    blacklist: 'refused',
    'quiet hours': EXEMPT,
    cap: EXEMPT,
    consent: EXEMPT,
  },
  'chat message': {
    country: SENT,
    'denied range': SENT,
    sender: 'unknown-source',
    blacklist: SENT,
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'not-now',
  },
  'chat campaign': {
    country: SENT,
    'denied range': SENT,
    sender: 'unknown-source',
    blacklist: 'blacklisted',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'NO_CONSENT',
  },
  'mail campaign': {
    country: noRule,
    'denied range': noRule,
    sender: 'source-not-verified',
    blacklist: 'bad-field',
    'quiet hours': 'not-now',
    cap: 'FREQUENCY_CAP',
    consent: 'NO_CONSENT',
  },
  'mail test': {
    country: noRule,
    'denied range': noRule,
    sender: 'source-not-verified',
    blacklist: noRule,
    'quiet hours': WAITS,
    cap: 'FREQUENCY_CAP',
    consent: 'NO_CONSENT',
  },
};

/** A recipient as the database has it. */
const key = (to: string) => (to.startsWith('0') ? `972${to.slice(1)}` : to);
const isMail = (name: Tried) => name.startsWith('mail');
const isChat = (name: Tried) => name.startsWith('chat');
const newRecipient = (name: Tried, { phone }: Rule) => {
  if (isMail(name)) return newAddress();
  return phone?.() ?? (isChat(name) ? newClient() : newPhone());
};

/** Tries once, and waits for what comes of a message that was accepted. */
async function outcomeOf(name: Tried, attempted: Attempted): Promise<string> {
  const read = () => sql<{ id: number; status: number; code: string | null; handed_at: number | null }[]>`
    SELECT id, status, code, handed_at FROM messages
    WHERE account_id = ${demo.id} AND recipient = ${key(attempted.to)} ORDER BY id DESC`;
  const before = (await read()).length;
  const code = await (attempts[name] as Try)(attempted);
  if (code !== undefined) return code;
  return waitFor(`${name}: the message is sent or has failed`, async () => {
    const rows = await read();
    if (rows.length === before) return undefined;
    const { status, code: reason, handed_at } = rows[0]!;
    if (handed_at !== null) return SENT;
    if (status === -1) return reason === null ? undefined : WAITS;
    return reason ?? String(status);
  });
}

async function underRule(name: Tried, rule: Rule): Promise<string> {
  const to = newRecipient(name, rule);
  const attempted = { ...rule, to };
  if (rule.blacklisted) {
    if (isMail(name)) {
      await mailListOf(to);
      const [user] = await sql<{ id: number }[]>`
        SELECT id FROM mail_users WHERE account_id = ${demo.id} AND address = ${to}`;
      await owner.post(`/mail/users/${user!.id}/status`, { status: 'removed' });
    } else await calls.post('/blacklist', { phones: [to] });
  }
  await owner.call('PATCH', '/sending-policy', { ...usual, ...rule.policy });
  if (rule.twice) await outcomeOf(name, attempted);
  return outcomeOf(name, attempted);
}

const usual = { hours: null, consent: 'not_required', caps: [], applies_to: 'campaigns' };

describe('the gate under every rule', () => {
  test('every caller has an outcome, or a reason for none', () => {
    for (const name of Object.keys(untried)) assert.ok(!(name in attempts));
    for (const name of Object.keys(attempts)) {
      assert.deepEqual(Object.keys(expected[name as Tried]), Object.keys(rules).slice(1));
    }
  });

  for (const name of Object.keys(attempts) as Tried[]) {
    test(`${name}: sent without a rule`, async () => {
      assert.equal(await underRule(name, {}), SENT);
    });
    for (const [rule, outcome] of Object.entries(expected[name])) {
      if (outcome === noRule) continue;
      test(`${name} under the rule ${rule}: ${outcome}`, async () => {
        assert.equal(await underRule(name, rules[rule as RuleName]), outcome);
      });
    }
  }
});

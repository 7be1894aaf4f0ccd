import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { callVerifications } from '../../server/channels/voice/metrics.ts';
import { errorName } from '../../server/protocols/smpp/errors.ts';
import { boundEsme, PASSWORD } from '../api/smpp/support.ts';
import { asPerson, withToken } from '../api/v1/calls.ts';
import { newClient, SOURCE, startChat, templateId } from '../channels/chat-api/support.ts';
import { mailAt, newAddress, v1At } from '../channels/mail/campaign-support.ts';
import { hoursFrom } from '../modules/sending-policy/support.ts';
import { freePort } from '../support/free-port.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import type { AttemptName } from './gate-callers.ts';
import { interfaceSettings, sendByInterface } from './gate-interfaces.ts';
import { expected, noRule, SENT, WAITS } from './gate-outcomes.ts';

/*
 * Every caller of the gate is tried under every rule that the gate has beside suspension: the table below says what comes of each
 * attempt. `sent` under a rule is an exemption, for which the caller shows evidence.
 */

const smppPort = await freePort();
const service = await startChat({
  ...interfaceSettings,
  VERIFY_SOURCES: 'on',
  VERIFY_CALL_TEXT: '[name] [code]',
  SMPP_SERVER_PORT: String(smppPort),
});
const { sql, demo, appContext } = service;
const calls = withToken(service.url, DEMO_TOKEN);
const owner = await asPerson(service, 'owner', demo.id);
const mail = mailAt(v1At(service.url));
const NUMBER = '972552009999';
const FROM = 'news@shop.example';
await appContext.sources.approve(demo.id, 'Shop');
await appContext.sources.approve(demo.id, NUMBER, { incoming: true });
await appContext.sources.approve(demo.id, FROM);
await owner.post('/conversation-rules', { name: 'Hi', reply_text: 'Hello' });
/** Binds a client that may send to other countries, or may not. */
const bindEsme = async (international: boolean) => {
  const client = { system_id: `esme-${international}`, password: PASSWORD, name: 'Orders', international };
  await owner.post('/smpp-clients', client);
  return boundEsme({ after }, { port: smppPort }, client.system_id);
};
const [atHome, abroad] = [await bindEsme(false), await bindEsme(true)];

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
type Tried = keyof typeof expected;

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

/** Verifications of landlines that ended without a call. */
const refusedCalls = async (): Promise<number> => {
  const { values } = await callVerifications.get();
  return values.find(({ labels }) => labels.outcome === 'refused')?.value ?? 0;
};

const attempts = {
  sms: (one) => post('/sms', { ...sms(one), phones: [one.to] }),
  'SMPP message': async ({ to, sender = 'Shop', international = false }) => {
    const fields = { source_addr: sender, destination_addr: to, short_message: 'hello' };
    const { command_status } = await (international ? abroad : atHome).submit(fields);
    return command_status === 0 ? undefined : errorName(command_status);
  },
  'sms of another gateway': async ({ to, sender = 'Shop' }) => {
    // The three interfaces give a send to the acceptor in one place, and Twilio's has codes.
    const { status, text } = await sendByInterface(service, 'twilio', { to, from: sender });
    return status === 201 ? undefined : String((JSON.parse(text) as { code: number }).code);
  },
  'test message': async ({ to, sender = 'Shop' }) => {
    // One operator may send few of them in a minute.
    const operator = await asPerson(service, 'operator');
    const body = { account_id: String(demo.id), source: sender, phone: `+${key(to)}`, message: 'hello' };
    return codeOf(operator.fetch('POST', '/operator/connectors/sandbox/test-messages', body));
  },
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
  'automatic reply': async ({ to, international = false }) => {
    const countries = { automatic_reply_countries: international ? ['GB'] : [] };
    await owner.call('PATCH', '/conversation-settings', countries);
    const failed = async () => {
      const rows = await sql<{ code: string }[]>`
        SELECT e.details->>'failed' AS code FROM conversations c
        JOIN conversation_entries e ON e.account_id = c.account_id AND e.conversation_id = c.id
        WHERE c.account_id = ${demo.id} AND c.client = ${key(to)} AND e.details ? 'failed'`;
      return rows[0]?.code;
    };
    const sent = async () => {
      const [row] = await sql<{ count: number }[]>`
        SELECT count(*)::int AS count FROM messages WHERE account_id = ${demo.id} AND recipient = ${key(to)}`;
      return row!.count;
    };
    const before = await sent();
    await service.sendFromPhone(to, NUMBER, 'hi');
    const outcome = await waitFor('the reply is accepted or refused', async () => {
      const code = await failed();
      return code === undefined ? (await sent()) > before && { code } : { code };
    });
    return outcome.code;
  },
  'landline call': async ({ to, twice = false, ...one }) => {
    const refused = await post('/sources/verify', {
      phones: [to],
      includes_international: one.international ?? false,
    });
    if (refused !== undefined) return refused;
    // A landline is called back once a minute.
    if (twice) await service.advance(61);
    const before = await refusedCalls();
    await waitFor('the exchange takes the call', async () => {
      const response = await calls.fetch('POST', `/sandbox/phones/${to}/call`, { to: '037000000' });
      return response.status === 200;
    });
    return waitFor('the call is accepted or refused', async () => {
      if ((await refusedCalls()) > before) return { code: 'refused' };
      const rows = await sql`SELECT 1 FROM messages WHERE account_id = ${demo.id} AND recipient = ${key(to)}`;
      return rows.length > 0 && { code: undefined };
    }).then(({ code }) => code);
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
} as const satisfies Readonly<Record<Tried, Try>>;

/** Attempts of the walk with a suspended account that have no recipient to try here. */
const untried: Readonly<Record<Exclude<AttemptName, Tried>, string>> = {
  'password link': 'the service writes it in its own name to a person of the account, and it is exempt',
  'mail confirmation': 'the service writes it in its own name to who asked for it, and it is exempt',
  fallback: 'it goes through the acceptor and the chat API like `sms`, `call` and `chat message`',
  'next step of a campaign': 'the attempts with campaigns are made of such steps',
  file: 'nothing is sent',
  picture: 'nothing is sent',
  speech: 'nothing is sent',
};

/** A recipient as the database has it. */
const key = (to: string) => (to.startsWith('0') ? `972${to.slice(1)}` : to);
const isMail = (name: Tried) => name.startsWith('mail');
const isChat = (name: Tried) => name.startsWith('chat');
const newRecipient = (name: Tried, { phone }: Rule) => {
  if (isMail(name)) return newAddress();
  if (name === 'landline call' && !phone) return `0${36_513_000 + ++made}`;
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
  test('every caller has an outcome, or a reason for its absence', () => {
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

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import type { PersonRole } from '../../server/api/access/roles.ts';
import { hourOf } from '../../server/engine/messages/hours.ts';
import { weekdays } from '../../server/kit/week-hours.ts';
import { hashPassword } from '../../server/modules/passwords/hashes.ts';
import { boundEsme, PASSWORD } from '../api/smpp/support.ts';
import { callsWith, lastingProof, withToken } from '../api/v1/calls.ts';
import { contactListsOf, ended, type Job, json } from '../api/v1/support.ts';
import { newClient, SOURCE, templateId } from '../channels/chat-api/support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { mp4, png, voiceNote, webp } from '../modules/media/samples.ts';
import { SoftAuthenticator } from '../support/authenticator.ts';
import { Browser } from '../support/console.ts';
import { startIdentityProvider } from '../support/identity-provider.ts';
import { newPhone } from '../support/phones.ts';
import type { TestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * What a route of /v1 needs, so that the example of its description works: what its `{id}` is of, and what the example
 * names. All of it is made anew for each call that changes something.
 */

export type Fields = Record<string, unknown>;
export type Headers = Record<string, string>;

/** How a route is called, where it is not enough that the example is sent by who may send it. */
export interface Call {
  /** `{id}` of the path. */
  readonly id?: string;
  readonly headers?: Headers;
  readonly body?: Fields;
}

/** A body that is refused, and with what HTTP status. */
export interface RefusedBody {
  readonly status: number;
  readonly body: Fields;
}

/** Counting rests the longer the busier the machine is. */
const COUNTED_MS = 90_000;
const EXAMPLE_PASSWORD = 'correct horse battery';
/** Seconds for which a scheduled message waits. */
const WAIT_SECONDS = 60;

/** `phoneTime` is the time of the phones that show codes; `smppPort` that of the SMPP server, if there is one. */
export async function openCases(service: TestService, phoneTime: number, smppPort?: number) {
  const { url, sql, appContext, demo } = service;
  const { people: room, sessions, links } = appContext.people;
  const passwordHash = await hashPassword(EXAMPLE_PASSWORD);
  const lists = contactListsOf(service);

  let made = 0;
  const unique = (what: string) => `${what}-${++made}`;
  const soon = () => new Date(appContext.clock.now() + 86_400_000).toISOString();

  /** Somebody new, with the password of the examples and a session. */
  async function newPerson(role: PersonRole) {
    const accountId = role === 'operator' ? null : demo.id;
    const username = unique('person');
    const { person } = await room.add({ accountId, username, name: username, role, passwordHash });
    return { person, ...(await sessionOf(person.id)) };
  }

  /** What a browser sends in which this person is signed in. */
  async function sessionOf(personId: number) {
    const origin = { address: '127.0.0.1', agent: 'test' };
    const token = await sessions.start(sql, personId, origin, lastingProof);
    const headers = { cookie: `carillon_session=${token}`, 'x-carillon-csrf': '1' };
    return { headers, calls: callsWith(url, headers) };
  }
  const operator = await newPerson('operator');
  const owner = await newPerson('owner');
  const { calls } = owner;

  const newAccount = (credits = 0) => service.addAccount({ username: unique('account') }, credits);
  const newSubscriber = () => service.addAccount({ username: unique('sub'), parentId: demo.id }, 0);

  /** A receiver of events that takes nothing. */
  const receiver = await startReceiver();
  receiver.answer = (response) => response.writeHead(500).end('no room');

  type Made = { id: string };
  const newWebhook = async () =>
    (await calls.post<Made>('/webhooks', { url: `${receiver.url}/${unique('hook')}` })).id;

  /** A webhook that was switched off. */
  async function offWebhook(): Promise<string> {
    const id = await newWebhook();
    await sql`
      UPDATE event_endpoints SET state = 'off', off_reason = 'answered 410 Gone', off_at = ${appContext.clock.now()}
      WHERE account_id = ${demo.id} AND id = ${Number(id)}`;
    return id;
  }

  /** Background work whose last attempt failed. */
  async function failingWork(): Promise<Fields> {
    const key = appContext.ids.next();
    const dueAt = appContext.clock.now() + 3_600_000;
    await sql`
      INSERT INTO work (account_id, kind, key, due_at, attempts, last_error, created_at)
      VALUES (${demo.id}, 'media-fetch', ${key}, ${dueAt}, 3, 'HTTP 503', ${dueAt})`;
    return { kind: 'media-fetch', account_id: String(demo.id), key: String(key) };
  }

  async function send(body: Fields): Promise<string> {
    const sent = { source: 'Shop', phones: [newPhone(), newPhone()], message: 'Hello', ...body };
    return (await calls.post<{ shipment_id: string }>('/sms', sent, 202)).shipment_id;
  }
  const laterShipment = () => send({ at: soon(), campaign_name: 'Spring' });
  async function listShipment(): Promise<string> {
    const list = await lists.newList({ phone: newPhone() });
    return send({ at: soon(), campaign_name: 'Spring', lists: [String(list)] });
  }

  /** A shipment with a link that somebody has followed. */
  async function followedShipment(over: Fields = {}): Promise<string> {
    const phone = newPhone();
    const link = { id: '1', url: 'https://example.com/spring' };
    const id = await send({
      phones: [phone],
      message: 'Look: [link-1]',
      links: [link],
      campaign_name: 'Spring',
      ...over,
    });
    if (over.at !== undefined) await service.advance(WAIT_SECONDS);
    const address = await waitFor('the link to arrive', async () => {
      const [sms] = await service.phone(phone);
      return sms && /https?:\/\/\S+/.exec(sms.text)?.[0];
    });
    await fetch(new URL(new URL(address).pathname, url), {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    });
    await waitFor('the click to be counted', async () => {
      const { clicks } = await calls.get<{ clicks: [] }>(`/shipments/${id}/clicks`);
      return clicks.length > 0;
    });
    return id;
  }

  /** An SMPP client, bound if there is a server. */
  async function newSmppClient(): Promise<string> {
    const client = { system_id: unique('orders'), password: PASSWORD, name: 'Orders' };
    const allowed = { addresses: ['127.0.0.0/8', '::/0'], sources: ['Shop'] };
    const { id } = await calls.post<Made>('/smpp-clients', { ...client, ...allowed });
    if (smppPort !== undefined) await boundEsme({ after }, { port: smppPort }, client.system_id);
    return id;
  }

  /** A conversation whose client has just written. */
  async function newConversation(): Promise<string> {
    const client = newClient();
    await calls.post(`/sandbox/phones/${client}/chat`, { to: SOURCE, body: 'Is it open today?' });
    const found = await waitFor('the conversation', async () => {
      const page = await calls.get<{ conversations: Made[] }>(`/conversations?search=${client}`);
      return page.conversations[0];
    });
    return found.id;
  }

  /** A conversation that somebody has labelled, assigned and noted something in. */
  async function labelledConversation(): Promise<string> {
    const id = await newConversation();
    const label = await things['conversation-labels']!();
    await calls.call('PATCH', `/conversations/${id}`, { label_ids: [label] });
    await calls.post(`/conversations/${id}/replies`, { text: 'Yes' }, 202);
    return id;
  }

  /** An alert rule, of the account or with `/operator` the operator's, that tells somebody by mail. */
  const newAlertRule = async (base: '' | '/operator', kind: string, more: Fields = {}): Promise<string> => {
    const caller = base === '' ? calls : operator.calls;
    const recipients = {
      mails: [`${unique('dana')}@example.com`],
      account_id: base === '' ? null : String(demo.id),
    };
    const rule = { name: unique('rule'), kind, recipients, ...more };
    return (await caller.post<Made>(`${base}/alert-rules`, rule)).id;
  };
  const testedAlertRule = async (base: '' | '/operator', kind: string): Promise<Call> => {
    const id = await newAlertRule(base, kind);
    const caller = base === '' ? calls : operator.calls;
    await caller.post(`${base}/alert-rules/${id}/test`, { means: ['mail'] });
    return { id };
  };
  /** An open alert of the account, and one of the operator. */
  async function openAlerts(): Promise<void> {
    await newAlertRule('', 'low-balance', { thresholds: { below: '100000000' } });
    await newAlertRule('/operator', 'quarantine');
    await sql`
      INSERT INTO quarantine (account_id, id, reason, payload, created_at)
      VALUES (${demo.id}, 1, 'an example', '{}', 0)`;
    await sql`DELETE FROM state WHERE key = 'alerts.evaluated'`;
    await waitFor('the alerts', async () => {
      const [own, general] = [
        await calls.get('/alerts/open'),
        await operator.calls.get('/operator/alerts/open'),
      ];
      return [own, general].every((one) => (one as unknown as { open: number }).open > 0);
    });
    await sql`DELETE FROM quarantine WHERE id = 1`;
  }

  /** A rule with something in each of its lists, for messages that have this word. */
  const newRule = async (word: string): Promise<string> => {
    const label = await things['conversation-labels']!();
    const rule = {
      name: unique('rule'),
      channels: ['chat'],
      senders: [SOURCE],
      keywords: [word],
      label_ids: [label],
    };
    return (await calls.post<Made>('/conversation-rules', rule)).id;
  };
  const newSavedReply = async (): Promise<string> => {
    const body = { shortcut: unique('hello'), title: 'Greeting', text: 'Hello' };
    return (await calls.post<Made>('/saved-replies', body)).id;
  };
  /** A sending policy that holds nothing, with something in each of its lists. */
  const sendingPolicy = {
    hours: Object.fromEntries(weekdays.map((day) => [day, ['00:00-24:00']])),
    rest_days: null,
    closed_dates: [{ date: '2027-10-02', name: 'Rosh Hashanah' }],
    caps: [{ messages: 1_000, hours: 1, channel: null }],
  };

  /** The settings of conversations, with something in each of their lists. */
  const conversationSettings = async () => ({
    closed_dates: [{ date: '2027-10-02', name: 'Rosh Hashanah' }],
    turn_ids: [String((await newPerson('agent')).person.id)],
    automatic_reply_countries: ['US'],
  });

  const newTemplate = () =>
    calls.post<{ template_id: string; name: string }>(
      '/chat/templates',
      {
        phone: SOURCE,
        name: templateName(),
        language: '2',
        category: 'utility',
        body: 'Hello {{1}}, it is on its way.',
        body_samples: ['Dana'],
        buttons: [{ kind: 'website', text: 'Open it', url: 'https://www.example.com/orders' }],
      },
      202,
    );
  const templateName = () => unique('template').replace('-', '_');

  async function laterCampaign(): Promise<string> {
    const body = { source: SOURCE, template_id: templateId('plain'), phones: [newPhone()], at: soon() };
    return (await calls.post<Made>('/chat/campaigns', body, 202)).id;
  }

  /** A campaign that could not be sent to somebody. */
  async function failedCampaign(): Promise<string> {
    const body = { source: SOURCE, template_id: templateId('plain'), phones: ['12', newPhone()] };
    const { id } = await calls.post<Made>('/chat/campaigns', body, 202);
    await waitFor('somebody not to be reached', async () => {
      const { failures } = await calls.get<{ failures: [] }>(`/chat/campaigns/${id}/failures`);
      return failures.length > 0;
    });
    return id;
  }

  /** The example, to a client who has just written. */
  async function toWriter(body: Fields) {
    const phone = newPhone();
    await calls.post(`/sandbox/phones/${phone}/chat`, { to: SOURCE, body: 'Hello' });
    await waitFor('the window to open', async () => {
      const { open } = await calls.get<{ open: boolean }>(`/chat/window?source=${SOURCE}&to=${phone}`);
      return open;
    });
    return { body: { ...body, to: phone } };
  }

  /** A mailing list with these users. */
  async function newMailList(...emails: string[]): Promise<string> {
    const { id } = await calls.post<Made>('/mail/lists', { name: 'Newsletter' });
    await calls.post(`/mail/lists/${id}/users`, {
      users: emails.map((email) => ({ email, fields: { city: 'Haifa' } })),
    });
    return id;
  }
  const mailCampaign = async (body: Fields, ...emails: string[]) => {
    const list = await newMailList(...emails);
    const content = { from: { address: 'news@example.com' }, subject: 'Spring', text: 'Look', lists: [list] };
    return (await calls.post<Made>('/mail/campaigns', { ...content, ...body }, 202)).id;
  };
  const laterMailCampaign = () => mailCampaign({ at: soon() }, `${unique('dana')}@example.com`);
  /** The example of a campaign, to a list that there is. */
  const toMailList = async (body: Fields): Promise<Call> => ({
    body: { ...body, lists: [await newMailList(`${unique('dana')}@example.com`)] },
  });

  /** A campaign whose mails went astray in every way: `kind` is a path with rows of one of them. */
  async function strayedMailCampaign(kind: string): Promise<Call> {
    const address = (outcome: string) => `${unique(`${outcome}+`)}@example.com`;
    const id = await mailCampaign({}, address('reject'), address('bounce-hard'));
    await waitFor(`${kind} of a mail campaign`, async () => {
      const found = await calls.get<Record<string, unknown>>(`/mail/campaigns/${id}/${kind}`);
      return Object.values(found).some((rows) => Array.isArray(rows) && rows.length > 0);
    });
    return { id };
  }

  /** An event that an address did not take, until it was given up. */
  async function failedDelivery(): Promise<string> {
    const endpoint = await newWebhook();
    await calls.post('/blacklist', { phones: [newPhone()] });
    const id = await waitFor('the delivery', async () => {
      const path = `/webhook-deliveries?endpoint=${endpoint}`;
      return (await calls.get<{ deliveries: Made[] }>(path)).deliveries[0]?.id;
    });
    await sql`UPDATE deliveries SET state = 'failed' WHERE account_id = ${demo.id} AND id = ${Number(id)}`;
    return id;
  }

  async function newPortfolio(): Promise<string> {
    const body = {
      account_id: String((await newAccount()).id),
      name: 'Shop',
      platform_id: platformId(),
      access_token: 'EAAG3cXlZBz',
    };
    return (await operator.calls.post<Made>('/operator/chat-portfolios', body)).id;
  }
  /** A look-up at a provider that knows every number, with something in each of its lists. */
  const lookUp = async () => ({
    description: {
      send: { method: 'GET', url: (await startReceiver()).url, headers: { 'x-key': '{secret.key}' } },
      // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
      answer: { rules: [{ when: { status: '2xx' }, then: 'found' }], network: '/network' },
    },
    secrets: { key: 'secret12' },
    prefixes: ['972'],
  });
  const newLookUp = async (): Promise<Call> => {
    await operator.calls.call('PUT', '/operator/number-lookup', await lookUp());
    return {};
  };
  const connector = () => ({
    name: unique('alpha'),
    is_enabled: false,
    smpp: { host: '127.0.0.1', port: 1, system_id: 'me', password: 'secret12' },
  });
  const newConnector = async () =>
    (await operator.calls.post<{ name: string }>('/operator/connectors', connector())).name;
  const platformId = () => String(300_000_000_000 + ++made);

  /** The code that a phone with this secret shows, `steps` of half a minute from now. */
  const codeOf = (secret: string, steps = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: phoneTime + steps * 30_000 });

  /** Somebody who is about to confirm a second factor, and the code for it. */
  async function withSecret(role: PersonRole = 'sender') {
    const person = await newPerson(role);
    const { secret } = await person.calls.post<{ secret: string }>('/session/second-factor', {
      password: EXAMPLE_PASSWORD,
    });
    return { ...person, secret };
  }

  /** Somebody with a second factor. */
  async function withSecondFactor(role: PersonRole = 'sender') {
    const person = await withSecret(role);
    await person.calls.post('/session/second-factor/confirm', { code: codeOf(person.secret, -1) });
    // The sessions from before have ended.
    return { ...person, ...(await sessionOf(person.person.id)) };
  }

  const anybody = callsWith(url, { 'x-carillon-csrf': '1' });
  type Options = { options: { challenge: string; rp: { id: string }; rpId: string; user: { id: string } } };

  /** Somebody who is about to add a passkey, and what their browser sends. */
  async function withNewCredential() {
    const person = await newPerson('sender');
    const authenticator = new SoftAuthenticator(`http://localhost:${new URL(url).port}`);
    const { options } = await person.calls.post<Options>('/session/passkeys/options', {
      password: EXAMPLE_PASSWORD,
    });
    return { ...person, authenticator, credential: authenticator.create(options) };
  }

  /** Somebody with a passkey. */
  async function withPasskey() {
    const { person, calls: own, credential, authenticator } = await withNewCredential();
    const { passkey } = await own.post<{ passkey: Made }>('/session/passkeys', { name: 'Key', credential });
    // The sessions from before have ended.
    return { ...(await sessionOf(person.id)), person, authenticator, id: passkey.id };
  }

  const idp = await startIdentityProvider();

  /** A provider of the demo account, which is a client at a real one. */
  async function newProvider(more: Fields = {}): Promise<{ id: string; slug: string }> {
    const slug = unique('provider');
    idp.addClient(slug, { redirect_uris: [`${url}/sign-in/${slug}/callback`] });
    const rules = [{ claim: null, value: null, role: 'viewer' }];
    const given = {
      slug,
      name: 'Test',
      issuer: idp.issuer,
      client_id: slug,
      client_secret: `secret-of-${slug}`,
    };
    const { id } = await calls.post<Made>('/sign-in-providers', { ...given, rules, ...more });
    return { id, slug };
  }

  /** A browser that comes back from a provider, and what it has to say. */
  async function backFromProvider(): Promise<Call & { readonly flow: string }> {
    const { slug } = await newProvider();
    const browser = new Browser(url);
    const begun = await browser.ask<{ url: string }>('POST', '/session/provider', { slug });
    const back = await idp.signIn(begun.url, unique('subject'));
    return {
      flow: browser.flow!,
      headers: { cookie: `carillon_sign_in=${browser.flow}`, 'x-carillon-csrf': '1' },
      body: { slug, ...Object.fromEntries(back.searchParams) },
    };
  }

  /** Somebody with a passkey whose provider said nothing of a second factor, and an answer of the passkey. */
  async function withPendingFactor() {
    const { person, authenticator } = await withPasskey();
    const provider = { id: 1, session: null, secondFactor: false };
    const token = await sessions.start(
      sql,
      person.id,
      { address: '127.0.0.1', agent: 'test' },
      { provider, pending: true },
    );
    const headers = { cookie: `carillon_session=${token}`, 'x-carillon-csrf': '1' };
    return { headers, authenticator };
  }

  /** An account that has asked for this name. */
  async function nameRequest(source: unknown): Promise<string> {
    const account = await newAccount();
    await withToken(url, account.token).post('/sources/names', { source });
    return String(account.id);
  }

  /** What `{id}` stands for, by what is before it in the path. */
  const things: Readonly<Record<string, () => Promise<string>>> = {
    'contact-lists': async () => {
      const { id } = await calls.post<Made>('/contact-lists', {
        name: 'Customers',
        columns: ['first name', 'town'],
      });
      await calls.post(`/contact-lists/${id}/contacts`, {
        contacts: [{ phone: '0501234567', fields: ['Dana', 'Haifa'] }],
      });
      return id;
    },
    conversations: labelledConversation,
    'conversation-labels': async () =>
      (await calls.post<Made>('/conversation-labels', { name: unique('label') })).id,
    'conversation-rules': () => newRule(unique('word')),
    'alert-rules': () => newAlertRule('', 'low-balance'),
    'operator/alert-rules': () => newAlertRule('/operator', 'connector-down'),
    'saved-replies': newSavedReply,
    imports: async () => {
      const list = await lists.newList();
      return (await lists.importFile(list, 'phone\r\n0521234567\r\n12\r\n')).id;
    },
    exports: async () => {
      const list = await things['contact-lists']!();
      const { id } = await json<Job>(lists.api.post(`/contact-lists/${list}/export`), 202);
      await ended(lists.api, `/exports/${id}`);
      return id;
    },
    shipments: () => followedShipment(),
    campaigns: () => followedShipment(),
    media: async () => {
      const file = lists.api.post('/media?kind=document&file_name=hours.txt', 'Open from 8:00 to 17:00\n');
      return (await json<Made>(file)).id;
    },
    pictures: async () => (await json<Made>(lists.api.post('/pictures', png))).id,
    drafts: async () => (await calls.post<Made>('/drafts', { channel: 'sms', content: {} })).id,
    // An id of the carrier is not stored where the receipt came in the same round as the answer to submit, which a busy
    // machine does at times: then another message is sent.
    messages: () =>
      waitFor("a message whose carrier's id is stored", async () => {
        const at = new Date(appContext.clock.now() + WAIT_SECONDS * 1_000).toISOString();
        const shipment = await followedShipment({ at });
        const found = await calls.get<{ messages: Made[] }>(`/messages?shipment_id=${shipment}`);
        const { id } = found.messages[0]!;
        const { carrier_ids: ids } = await waitFor('its receipt', async () => {
          const timeline = await calls.get<{ carrier_ids: []; state: string }>(`/messages/${id}`);
          return timeline.state === 'delivered' && timeline;
        });
        return ids.length > 0 && id;
      }),
    subscribers: async () => String((await newSubscriber()).id),
    'chat/templates': async () => {
      return (await newTemplate()).template_id;
    },
    'chat/numbers': async () => SOURCE,
    'chat/campaigns': laterCampaign,
    tokens: async () => (await calls.post<Made>('/tokens', { label: 'web shop' })).id,
    webhooks: newWebhook,
    'smpp-clients': newSmppClient,
    'webhook-deliveries': failedDelivery,
    'sign-in-providers': async () => (await newProvider()).id,
    'operator/sign-in-providers': async () => {
      const given = { slug: unique('provider'), name: 'Test', issuer: idp.issuer, client_id: 'x', rules: [] };
      return (await operator.calls.post<Made>('/operator/sign-in-providers', given)).id;
    },
    people: async () => String((await newPerson('viewer')).person.id),
    'operator/people': async () => String((await newPerson('operator')).person.id),
    'operator/accounts': async () => {
      const body = { username: unique('shop'), addresses: ['192.0.2.0/24'] };
      return (await operator.calls.post<Made>('/operator/accounts', body)).id;
    },
    'operator/chat-portfolios': newPortfolio,
    'operator/connectors': newConnector,
    'operator/test-messages': async () => {
      const body = { account_id: String(demo.id), source: 'Shop', phone: newPhone(), message: 'Test' };
      return (await operator.calls.post<Made>('/operator/connectors/sandbox/test-messages', body, 202)).id;
    },
    'operator/routes': async () => {
      const route = { prefix: String(100_000 + ++made), connectors: [{ connector: await newConnector() }] };
      return (await operator.calls.post<Made>('/operator/routes', route)).id;
    },
    'mail/lists': () => newMailList(`${unique('dana')}@example.com`),
    'mail/users': async () => {
      const email = `${unique('dana')}@example.com`;
      await newMailList(email);
      return (await calls.get<{ users: Made[] }>(`/mail/users?email=${email}`)).users[0]!.id;
    },
    'mail/campaigns': laterMailCampaign,
    'mail/templates': async () => {
      const body = { name: 'Spring', subject: 'Spring is here', html: '<p>Hello</p>' };
      return (await calls.post<Made>('/mail/templates', body)).id;
    },
    'mail/tokens': async () => (await calls.post<Made>('/mail/tokens', { label: 'web shop' })).id,
    'operator/webhooks': offWebhook,
    'data-subjects/requests': async () => {
      const phone = newClient();
      await calls.post('/blacklist', { phones: [phone] });
      const { id } = await calls.post<Made>('/data-subjects/exports', { phones: [phone] }, 202);
      return waitFor('the archive', async () => {
        const { state } = await calls.get<{ state: string }>(`/data-subjects/requests/${id}`);
        return state === 'done' && id;
      });
    },
  };

  /** Calls of operations, by their names, that need more than the example and what `things` has. */
  const cases: Readonly<Record<string, (example: Fields) => Promise<Call>>> = {
    listAlertTests: () => testedAlertRule('', 'low-balance'),
    listOperatorAlertTests: () => testedAlertRule('/operator', 'connector-down'),
    retryWork: async () => ({ body: await failingWork() }),
    discardWork: async () => ({ body: await failingWork() }),
    createSavedReply: async (body) => ({ body: { ...body, shortcut: unique('hello') } }),
    changeSavedReply: async (body) => ({ body: { ...body, shortcut: unique('hello') } }),
    useSavedReply: async () => ({ body: { conversation_id: await newConversation() } }),
    orderConversationRules: async () => {
      const { rules } = await calls.get<{ rules: Made[] }>('/conversation-rules');
      return { body: { ids: rules.map(({ id }) => id) } };
    },
    listConversationRuleLog: async () => {
      const id = await newRule('is it open');
      await newConversation();
      return { id };
    },
    changeSendingPolicy: async (body) => ({ body: { ...body, ...sendingPolicy } }),
    changeConversationSettings: async (body) => ({ body: { ...body, ...(await conversationSettings()) } }),
    showShipment: async () => ({ id: await listShipment() }),
    showCampaign: async () => ({ id: await listShipment() }),
    pauseShipment: async () => ({ id: await laterShipment() }),
    resumeShipment: async () => {
      const id = await laterShipment();
      await calls.post(`/shipments/${id}/pause`);
      return { id };
    },
    cancelShipment: async () => ({ id: await laterShipment() }),
    cancelHeldWork: async () => {
      const body = { username: unique('suspended') };
      const { id } = await operator.calls.post<Made>('/operator/accounts', body);
      await operator.calls.post(`/operator/accounts/${id}/suspend`);
      return { id };
    },
    pauseCampaign: async () => ({ id: await laterShipment() }),
    resumeCampaign: async () => {
      const id = await laterShipment();
      await calls.post(`/campaigns/${id}/pause`);
      return { id };
    },
    cancelCampaign: async () => ({ id: await laterShipment() }),
    rescheduleCampaign: async () => ({ id: await laterShipment() }),
    retryMessage: async () => {
      const found = await calls.get<{ messages: Made[] }>(`/messages?shipment_id=${await laterShipment()}`);
      const { id } = found.messages[0]!;
      await sql`
        UPDATE dispatch_batches SET attempt = 1
        WHERE account_id = ${demo.id} AND first_id <= ${Number(id)} AND last_id >= ${Number(id)}`;
      return { id };
    },
    listFailedRecipients: async () => ({ id: await failedCampaign() }),
    resumeChatCampaign: async () => {
      const id = await laterCampaign();
      await calls.post(`/chat/campaigns/${id}/pause`);
      return { id };
    },
    listChatCampaignFailures: async () => ({ id: await failedCampaign() }),
    sendChatButtons: toWriter,
    estimateChatButtons: toWriter,
    sendChatCarousel: toWriter,
    estimateChatCarousel: toWriter,
    previewText: async (body) => ({ body: { ...body, list: await things['contact-lists']!() } }),
    createMailCampaign: toMailList,
    estimateMailCampaign: toMailList,
    previewMailCampaign: toMailList,
    testMailCampaign: toMailList,
    resumeMailCampaign: async () => {
      const id = await laterMailCampaign();
      await calls.post(`/mail/campaigns/${id}/pause`);
      return { id };
    },
    listMailCampaignFailures: () => strayedMailCampaign('failures'),
    listMailCampaignReturns: () => strayedMailCampaign('returns?kind=hard'),
    findMailUser: async () => {
      await newMailList('dana@example.com');
      return {};
    },
    createTemplate: async (body) => ({ body: { ...body, name: templateName() } }),
    editTemplate: async (body) => {
      const { template_id: id, name } = await newTemplate();
      await waitFor('the template to be approved', async () => {
        const { status } = await calls.get<{ status: number }>(`/chat/templates/${id}`);
        return status === 1;
      });
      return { id, body: { ...body, name } };
    },
    replyToConversation: async (body) => ({
      id: await newConversation(),
      body: { ...body, reply_to: undefined },
    }),
    writeConversation: async () => ({
      id: await newConversation(),
      headers: (await newPerson('sender')).headers,
    }),
    createConversationLabel: async (body) => ({ body: { ...body, name: unique('label') } }),
    changeConversationLabel: async (body) => ({ body: { ...body, name: unique('label') } }),
    createSubscriber: async (body) => ({ body: { ...body, username: unique('haifa') } }),
    transferCredit: async (body) => ({ body: { ...body, username: (await newSubscriber()).username } }),
    askForName: async (body) => ({ body: { ...body, source: `Shop${++made}` } }),
    withdrawName: async () => {
      const body = { source: `Shop${++made}` };
      await calls.post('/sources/names', body);
      return { body };
    },
    createSmppClient: async (body) => ({ body: { ...body, system_id: unique('orders') } }),
    registerWebhook: async (body) => ({ body: { ...body, url: `https://example.com/${unique('hooks')}` } }),
    showEvent: async () => {
      const id = await newWebhook();
      await calls.post('/blacklist', { phones: [newPhone()] });
      return waitFor('the event', async () => {
        const { events } = await calls.get<{ events: { event_id: string }[] }>(`/webhooks/${id}/events`);
        return events[0] && { id: events[0].event_id };
      });
    },
    listWebhookEvents: async () => {
      const id = await newWebhook();
      await calls.post('/blacklist', { phones: [newPhone()] });
      await waitFor('the event', async () => {
        const { events } = await calls.get<{ events: unknown[] }>(`/webhooks/${id}/events`);
        return events.length > 0;
      });
      return { id };
    },
    replayWebhookEvent: async () => {
      const id = await newWebhook();
      await calls.post('/blacklist', { phones: [newPhone()] });
      return waitFor('the event', async () => {
        const { events } = await calls.get<{ events: { event_id: string }[] }>(`/webhooks/${id}/events`);
        return events[0] && { id, body: { event_id: events[0].event_id } };
      });
    },
    replayDeliveries: async (body) => ({ body: { ...body, endpoint_id: await newWebhook() } }),

    signIn: async ({ passkey: _, ...body }) => ({
      body: { ...body, username: (await newPerson('viewer')).person.username },
    }),
    signInByLink: async () => {
      const { token } = await links.make(sql, (await newPerson('viewer')).person.id, 'sign-in');
      return { body: { token } };
    },
    choosePassword: async (body) => {
      const { token } = await links.make(sql, (await newPerson('viewer')).person.id, 'password');
      return { body: { ...body, token } };
    },
    endSession: async () => {
      const { person, headers } = await newPerson('viewer');
      const [session] = await sessions.list(person.id);
      return { id: String(session!.id), headers };
    },
    confirmSecondFactor: async () => {
      const { headers, secret } = await withSecret();
      return { headers, body: { code: codeOf(secret) } };
    },
    removeSecondFactor: async (body) => {
      const { headers, secret } = await withSecondFactor();
      return { headers, body: { ...body, code: codeOf(secret) } };
    },
    addPasskey: async ({ name }) => {
      const { headers, credential } = await withNewCredential();
      return { headers, body: { name, credential } };
    },
    listPasskeys: async () => ({ headers: (await withPasskey()).headers }),
    renamePasskey: async () => {
      const { id, headers } = await withPasskey();
      return { id, headers };
    },
    removePasskey: async () => {
      const { id, headers } = await withPasskey();
      return { id, headers };
    },
    beginProviderSignIn: async () => ({ body: { slug: (await newProvider()).slug } }),
    finishProviderSignIn: backFromProvider,
    beginSecondFactorProof: async () => ({ headers: (await withPendingFactor()).headers }),
    proveSecondFactor: async () => {
      const { headers, authenticator } = await withPendingFactor();
      const { options } = await callsWith(url, headers).post<Options>('/session/second-factor/options', {});
      return { headers, body: { passkey: authenticator.get(options) } };
    },
    proveIdentity: async () => ({ body: { password: EXAMPLE_PASSWORD } }),
    beginProof: async () => ({ headers: (await withPasskey()).headers }),
    beginProviderProof: async () => {
      const call = await backFromProvider();
      const browser = new Browser(url);
      browser.flow = call.flow;
      await browser.ask('POST', '/session/provider/callback', call.body);
      return { headers: { cookie: `carillon_session=${browser.cookie}`, 'x-carillon-csrf': '1' } };
    },
    addSignInProvider: async ({ domains: _, ...body }) => ({
      body: { ...body, slug: unique('provider'), issuer: idp.issuer },
    }),
    changeSignInProvider: async ({ domains: _, ...body }) => ({
      id: (await newProvider()).id,
      body: { ...body, slug: unique('provider'), issuer: idp.issuer },
    }),
    addOperatorSignInProvider: async (body) => ({
      body: { ...body, slug: unique('provider'), issuer: idp.issuer },
    }),
    changeOperatorSignInProvider: async (body) => ({
      id: await things['operator/sign-in-providers']!(),
      body: { ...body, slug: unique('provider'), issuer: idp.issuer },
    }),
    signInByPasskey: async () => {
      const { authenticator } = await withPasskey();
      const { options } = await anybody.post<Options>('/session/passkey/options', {});
      return { body: { passkey: authenticator.get(options) } };
    },
    renewRecoveryCodes: async () => ({ headers: (await withSecondFactor()).headers }),

    // What is for operators alone is tried in test/api/v1/people-rules.test.ts.
    changePeopleRules: async () => ({
      headers: (await withSecondFactor('owner')).headers,
      body: { second_factor_required: true },
    }),
    changeOperatorRules: async () => ({ headers: (await withSecondFactor('operator')).headers }),
    addPerson: async (body) => ({ body: { ...body, username: unique('dana') } }),
    addOperator: async (body) => ({ body: { ...body, username: unique('dana') } }),
    createAccount: async (body) => ({ body: { ...body, username: unique('shop') } }),
    confirmNumber: async (body) => {
      const account = await newAccount();
      await withToken(url, account.token).post('/sources/verify', { phones: [body.phone] });
      return { body: { ...body, account_id: String(account.id) } };
    },
    approveSourceRequest: async (body) => ({
      body: { ...body, account_id: await nameRequest(body.source) },
    }),
    refuseSourceRequest: async (body) => ({ body: { ...body, account_id: await nameRequest(body.source) } }),
    setPrice: async (body) => ({ body: { ...body, account_id: String((await newAccount()).id) } }),
    removePrice: async (body) => {
      const own = { ...body, account_id: String((await newAccount()).id) };
      await operator.calls.post('/operator/prices', { ...own, price: '0.25' });
      return { body: own };
    },
    setDestinationRule: async (body) => ({ body: { ...body, account_id: String((await newAccount()).id) } }),
    removeDestinationRule: async (body) => {
      const own = { ...body, account_id: String((await newAccount()).id) };
      await operator.calls.post('/operator/destinations', { ...own, permitted: true });
      return { body: own };
    },
    findRoute: async () => {
      await waitFor('the connector is up', async () => {
        const found = await operator.calls.get<{ up: string[] }>('/operator/routes/find?phone=0501234567');
        return found.up.length > 0;
      });
      return {};
    },
    showNumberLookup: newLookUp,
    setNumberLookup: async () => ({ body: await lookUp() }),
    removeNumberLookup: newLookUp,
    tryNumberLookup: newLookUp,
    sendTestMessage: async (body) => ({
      id: 'sandbox',
      body: { ...body, account_id: String(demo.id), phone: newPhone() },
    }),
    createConnector: async () => ({ body: connector() }),
    changeConnector: async ({ per_second: perSecond, smpp }) => ({
      id: await newConnector(),
      body: { per_second: perSecond, smpp },
    }),
    // Not that of the example, whose route nothing would be up for.
    createRoute: async () => ({
      body: { prefix: String(100_000 + ++made), connectors: [{ connector: await newConnector() }] },
    }),
    // The example has a prefix and a list of them.
    replayRoutes: async () => ({
      body: { routes: [{ prefixes: ['972'], connectors: [{ connector: await newConnector() }] }] },
    }),
    changeRoute: async () => ({
      id: await things['operator/routes']!(),
      body: { connectors: [{ connector: await newConnector(), priority: 1, weight: 2 }] },
    }),
    createChatPortfolio: async (body) => ({
      body: { ...body, account_id: String((await newAccount()).id), platform_id: platformId() },
    }),
    addChatNumber: async (body) => ({
      id: await newPortfolio(),
      body: { ...body, phone: newPhone(), platform_id: platformId() },
    }),
  };

  /** Numbers of mailing lists begin at 1. */
  const toNoMailList = (body: Fields): RefusedBody => ({
    status: 404,
    body: { ...body, lists: [2_000_000_000] },
  });

  /** Bodies that name what is not there, or that the service does not take from a stranger, by operation. */
  const refused: Readonly<Record<string, (example: Fields) => RefusedBody>> = {
    sendText: (body) => ({ status: 404, body: { ...body, phones: [], lists: ['1'] } }),
    estimateText: (body) => ({ status: 404, body: { ...body, phones: [], lists: ['1'] } }),
    previewText: (body) => ({ status: 404, body: { ...body, list: '1' } }),
    transferCredit: (body) => ({ status: 404, body: { ...body, username: 'nobody' } }),
    withdrawName: () => ({ status: 404, body: { source: 'Nobody' } }),
    replayDeliveries: (body) => ({ status: 404, body }),
    signIn: (body) => ({ status: 401, body }),
    signInByPasskey: (body) => ({ status: 401, body }),
    finishProviderSignIn: (body) => ({ status: 401, body }),
    beginProviderSignIn: () => ({ status: 404, body: { slug: 'nowhere' } }),
    signInByLink: (body) => ({ status: 410, body }),
    choosePassword: (body) => ({ status: 410, body }),
    createAccount: (body) => ({ status: 404, body: { ...body, username: 'under', parent: 'nobody' } }),
    confirmNumber: (body) => ({ status: 404, body }),
    approveSourceRequest: (body) => ({ status: 404, body }),
    refuseSourceRequest: (body) => ({ status: 404, body }),
    setPrice: (body) => ({ status: 404, body }),
    removePrice: (body) => ({ status: 404, body }),
    retryWork: (body) => ({ status: 404, body }),
    discardWork: (body) => ({ status: 404, body }),
    setDestinationRule: (body) => ({ status: 404, body }),
    removeDestinationRule: (body) => ({ status: 404, body }),
    createChatPortfolio: (body) => ({ status: 404, body }),
    createMailCampaign: toNoMailList,
    estimateMailCampaign: toNoMailList,
    testMailCampaign: toNoMailList,
  };

  /** Waits until no import is under way, of which there may be five at once. */
  const importsEnded = () =>
    waitFor('the imports to end', async () => {
      const { imports } = await calls.get<{ imports: Job[] }>('/imports');
      return imports.every((job) => job.finished_at !== null);
    });

  const liftRules = (accountId: number | null) => () =>
    appContext.people.rules.change(
      accountId,
      { secondFactorRequired: false, secondFactorDemanded: false, secondFactorOfAccounts: false },
      async () => {},
    );

  /** What else the query of an import has to say, where it says something of a consent. */
  const consentBeside = (query: Fields): Fields => {
    if (!Object.keys(query).some((name) => name.startsWith('consent_'))) return {};
    const time = query.consent_column === undefined ? { consent_at: '2026-02-01T00:00:00Z' } : {};
    return { consent_channel: 'any', consent_form: 'newsletter', ...time };
  };
  /** What belongs into the query of an operation beside a part of it. */
  const beside: Readonly<Record<string, (query: Fields) => Fields>> = {
    importContacts: consentBeside,
    importMailUsers: consentBeside,
  };
  /** A file with the most columns, for the number of one of them. */
  const withColumns = (first: string) => (query: Fields) =>
    query.consent_column === undefined ? undefined : Buffer.from(`${first}${','.repeat(199)}\n`);

  /** Files of operations, where another one than the example belongs to a query; undefined for the example. */
  const files: Readonly<Record<string, (query: Fields) => Uint8Array | undefined>> = {
    uploadPicture: () => png,
    uploadMedia: ({ kind }) => ({ image: png, video: mp4, audio: voiceNote(), sticker: webp })[String(kind)],
    importContacts: withColumns('phone'),
    importMailUsers: withColumns('email'),
  };

  /** Puts back what a call of an operation has changed for everybody. */
  const undo: Readonly<Record<string, () => Promise<unknown>>> = {
    importContacts: importsEnded,
    importMailUsers: importsEnded,
    importBlacklist: importsEnded,
    changePeopleRules: liftRules(demo.id),
    changeOperatorRules: liftRules(null),
    changeSandbox: () =>
      operator.calls.call('PATCH', '/operator/sandbox', {
        receipt_delay_ms: 10,
        messages_per_second: 0,
        chat_messages_per_second: 0,
      }),
  };

  /** Asks for codes to a phone until no more are sent. */
  async function stopCodes(): Promise<void> {
    const phone = newPhone();
    await waitFor('codes to be stopped', async () => {
      const { status } = await service.call('json', 'send_otp', { phone, source: 'Shop' });
      return status !== 0;
    });
  }

  /** An account that has spent in an hour more than it has left. */
  async function lowBalance(): Promise<void> {
    const now = appContext.clock.now();
    const { id } = await service.addAccount({ username: unique('low') });
    await service.sql`
      INSERT INTO message_hours (account_id, hour, channel, taken, waiting, handed_over, delivered, read, failed,
        cancelled, parts, spent, counted_at)
      VALUES (${id}, ${hourOf(now) - 1}, 0, 1, 0, 0, 1, 0, 0, 0, 1, 100000, ${now})`;
  }

  /** Something that is due and that nobody hands over. */
  async function waitInQueue(): Promise<void> {
    const now = appContext.clock.now();
    await sql`
      INSERT INTO dispatch_batches (account_id, id, channel, lane, route, due_at, lease_owner, lease_until, first_id, last_id, count)
      VALUES (${demo.id}, 1, 0, 2, 'nowhere', ${now}, 'test', ${now + 365 * 86_400_000}, 1, 1, 1)`;
  }

  /** Something in every list that there is. */
  async function furnish(): Promise<void> {
    await followedShipment();
    await failedDelivery();
    await newSubscriber();
    await laterShipment();
    await calls.post('/sources/verify', { phones: ['035551234'] });
    await calls.post('/sources/names', { source: 'Waiting' });
    await appContext.sources.approve(demo.id, 'Approved');
    await operator.calls.post('/operator/prices', { prefix: '97259', price: '1' });
    await operator.calls.post('/operator/destinations', { prefix: '88235', permitted: true });
    await failedCampaign();
    await offWebhook();
    await failingWork();
    await things['contact-lists']!();
    await things.drafts!();
    await things.pictures!();
    await things.imports!();
    await laterMailCampaign();
    await things['mail/templates']!();
    await labelledConversation();
    await newRule('furnished');
    await openAlerts();
    await newSavedReply();
    await calls.call('PATCH', '/sending-policy', sendingPolicy);
    await calls.call('PATCH', '/dlt-ids', { senders: [{ source: SOURCE }] });
    await calls.call('PATCH', '/conversation-settings', await conversationSettings());
    await things['mail/tokens']!();
    await newProvider();
    await things['operator/sign-in-providers']!();
    await stopCodes();
    await waitInQueue();
    await lowBalance();
    await things['data-subjects/requests']!();
    await newSmppClient();
    const said = { subject: newClient(), channel: 'sms', action: 'given', source: 'form' };
    await calls.post('/consents', { consents: [said] });
    await operator.calls.post('/operator/people', { username: unique('dana'), name: 'Dana' });
    await waitFor('the requests to be in the log', async () => {
      const { requests } = await calls.get<{ requests: [] }>('/request-log?limit=1');
      return requests.length > 0;
    });
    await waitFor(
      'the messages to be counted',
      async () => {
        const { rows } = await calls.get<{ rows: [] }>('/overview');
        return rows.length > 0;
      },
      COUNTED_MS,
    );
  }

  return {
    operator,
    newPerson,
    furnish,
    refused,
    undo,
    beside,
    files,
    /** All operations that something is said of here. */
    named: new Set([cases, refused, undo].flatMap((of) => Object.keys(of))),
    /** How an operation is called with the example of its body, if it has one, and works. */
    async callOf(path: string, operationId: string, example: Fields | undefined): Promise<Call> {
      const own: Call = (await cases[operationId]?.(example ?? {})) ?? {};
      if (!path.includes('{id}') || own.id !== undefined) return own;
      const kind = path.slice('/v1/'.length, path.indexOf('/{id}'));
      assert.ok(things[kind], `write into things of test/docs/v1-cases.ts what makes one of ${kind}: its id`);
      return { ...own, id: await things[kind]() };
    },
  };
}

import assert from 'node:assert/strict';
import { TOTP } from 'otpauth';
import { Browser } from '../support/console.ts';
import type { Program } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';

/*
 * What a release of Carillon is made to do before its data is kept for the tests of the next one: something of every channel,
 * in every state that outlives a restart. It uses nothing but HTTP, so that it works in the tree of any release.
 */

export const TOKEN = 'the-token-of-the-demo-account';
export const PASSWORD = 'the password of everybody';
export const SOURCE = '972550000001';
/** Numbers of the sandbox without a simulated outcome: their last four digits are not `000x`. */
export const phone = (n: number): string => `97250${2_000_010 + n * 10}`;

/** What a test has to know of it; times in milliseconds since the epoch. */
export interface History {
  /** When the release was killed. */
  readonly at: number;
  /** Of the second factor of `dana`, Base32. */
  readonly secondFactor: string;
  /** A one-time code that was sent and not checked yet. */
  readonly code: { readonly phone: string; readonly code: string };
  /** The scheduled SMS, for an hour after `at` and for a day after it. */
  readonly soon: { readonly phone: string; readonly shipment: string };
  readonly tomorrow: { readonly phone: string; readonly shipment: string };
  /** A paused campaign. */
  readonly paused: { readonly phones: readonly string[]; readonly shipment: string };
  /** A short link that was sent, its path. */
  readonly link: string;
  /** SMS that were accepted and not yet sent when it was killed. */
  readonly waiting: readonly string[];
  /** How many messages there were before those that were scheduled, paused and waiting. */
  readonly messages: number;
  /** What its lists and things answered: [who asked, path, answer]. */
  readonly answers: readonly (readonly [who: Asker, path: string, answer: unknown])[];
}

export const askers = ['token', 'owner', 'operator'] as const;
export type Asker = (typeof askers)[number];

interface Row {
  readonly state: string;
  readonly channel: string;
}

/** How many messages of all channels `makeHistory` sends to their ends. */
const MESSAGES = 51;

type Ask = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  status?: number,
) => Promise<T>;

/** Asks /v1 with the token of the demo account. */
export const withToken =
  (url: string, token = TOKEN): Ask =>
  async (method, path, body, status = 200) => {
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    assert.equal(response.status, status, `${method} ${path}: ${text}`);
    return text === '' ? {} : JSON.parse(text);
  };

/** The code that an authenticator with this secret shows at a time. */
export const totp = (secret: string, timestamp: number): string =>
  new TOTP({ secret }).generate({ timestamp });

/** A browser in which somebody is signed in, with a second factor if a secret is given. */
export async function signIn(url: string, username: string, secret?: string, at = Date.now()): Promise<Ask> {
  const browser = new Browser(url);
  const code = secret === undefined ? undefined : totp(secret, at);
  assert.equal(await browser.signIn(username, PASSWORD, code), '200');
  return (...request) => browser.ask(...request);
}

/** Lets a program that was just started on an empty folder make history; `kill` kills it with SMS that still wait. */
export async function makeHistory({ url, output, kill }: Program): Promise<History> {
  const api = withToken(url);
  const phones = new Phones(api);

  // People: who runs the service, and an owner with a second factor.
  const link = /\/password#([\w-]{43})$/m.exec(output())![1];
  await new Browser(url).ask('POST', '/session/password-link', { token: link, password: PASSWORD });
  const operator = await signIn(url, 'operator');
  const owner = await signInByStart(url, output());
  const added = await owner<{ link: { token: string } }>('POST', '/people', {
    username: 'dana',
    name: 'Dana Levi',
    language: 'he',
    role: 'owner',
  });
  await new Browser(url).ask('POST', '/session/password-link', {
    token: added.link.token,
    password: PASSWORD,
  });
  const dana = await signIn(url, 'dana');
  const { secret } = await dana<{ secret: string }>('POST', '/session/second-factor', { password: PASSWORD });
  await dana('POST', '/session/second-factor/confirm', { code: totp(secret, Date.now() - 30_000) });

  // What the operator sets, and what the account has.
  await operator('POST', '/operator/connectors', {
    name: 'spare',
    is_enabled: false,
    smpp: { host: '127.0.0.1', port: 1, system_id: 'me', password: 'secret12' },
  });
  await operator('POST', '/operator/routes', {
    prefix: '4479',
    connectors: [{ connector: 'spare', priority: 1, weight: 2 }],
  });
  await operator('POST', '/operator/prices', { prefix: '97259', price: '1.25' });
  await api('POST', '/sources/names', { source: 'Bakery' });
  await owner('POST', '/subscribers', {
    name: 'Haifa branch',
    username: 'haifa',
    password: PASSWORD,
    source: 'Shop',
    amount: '100',
    otp_phone: phone(900),
  });
  await owner('POST', '/tokens', { label: 'web shop' });
  // Nobody listens there: its deliveries wait.
  await api('POST', '/webhooks', { url: 'http://127.0.0.1:9/hooks', types: ['message.status'] });
  await api('POST', '/drafts', { channel: 'sms', title: 'Spring', content: { message: 'Spring is here' } });
  await api('POST', '/mail/templates', { name: 'Spring', subject: 'Hello', html: '<p>Hello</p>' });
  await api('POST', '/blacklist', { phones: [phone(901)] });
  const { id: list } = await api<{ id: string }>('POST', '/contact-lists', {
    name: 'Customers',
    columns: ['first name', 'town'],
  });
  const contacts = Array.from({ length: 40 }, (_, n) => ({
    phone: phone(n),
    fields: [`Dana ${n}`, 'Haifa'],
  }));
  await api('POST', `/contact-lists/${list}/contacts`, { contacts });

  // Messages of every channel, to their ends.
  const sms = (body: object) =>
    api<{ shipment_id: string }>('POST', '/sms', { source: 'Shop', message: 'Hello', ...body }, 202);
  await sms({ phones: [phone(100), `97250${2_340_001}`], message: 'Hello, שלום' });
  await sms({
    lists: [list],
    message: 'Hello [DYNAMIC_FIELD1]: [link-1]',
    dynamic: true,
    links: [{ id: '1', url: 'https://example.com/spring' }],
    removal: 'link',
    campaign_name: 'Spring',
  });
  const linkText = await phones.text(phone(0));
  const path = new URL(/https?:\/\/\S+/.exec(linkText)![0]).pathname;
  await fetch(`${url}${path}`, {
    redirect: 'manual',
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
  });
  await sms({ phones: [phone(101)], message: 'Good morning', tts: { type: 4, repeat: 1 } });
  const codePhone = phone(102);
  await api(
    'POST',
    '/otp',
    { phone: codePhone, source: 'Shop', text: 'Your code is [code]', minutes: 15 },
    202,
  );
  const code = /\d+/.exec(await phones.text(codePhone))![0];
  await api('POST', `/sandbox/phones/${phone(103)}/sms`, { to: '0559876543', text: 'On my way' });
  await api('POST', `/sandbox/phones/${phone(104)}/chat`, { to: SOURCE, body: 'Are you there?' });
  const chat = (to: string) =>
    api('POST', '/chat/messages', { source: SOURCE, to, template_id: `1_${SOURCE}_plain` }, 202);
  await chat(phone(104));
  await chat(phone(105));
  await api(
    'POST',
    '/chat/campaigns',
    { source: SOURCE, template_id: `1_${SOURCE}_plain`, phones: [phone(106), '12'], name: 'Summer' },
    202,
  );
  const { id: readers } = await api<{ id: string }>('POST', '/mail/lists', { name: 'Newsletter' });
  const users = ['dana@example.com', 'bounce-hard@example.com', 'noa@example.com'];
  await api('POST', `/mail/lists/${readers}/users`, { users: users.map((email) => ({ email })) });
  await api(
    'POST',
    '/mail/campaigns',
    { from: { address: 'news@example.com' }, subject: 'Spring', text: 'Look', lists: [readers] },
    202,
  );

  // A mail stays handed over: nobody confirms that one has arrived.
  const messages = await waitFor(
    'every message is final',
    async () => {
      const found = (await api<{ messages: Row[] }>('GET', '/messages?limit=100')).messages;
      const open = found.filter(
        ({ state, channel }) => state === 'waiting' || (state === 'submitted' && channel !== 'mail'),
      );
      return found.length === MESSAGES && open.length === 0 && found.length;
    },
    90_000,
  );
  // Only later, so that nothing above waits for it: what is scheduled and paused.
  const scheduled = async (n: number, ms: number) => {
    const at = new Date(Date.now() + ms).toISOString();
    const { shipment_id: shipment } = await sms({ phones: [phone(n)], at, message: `At ${n}` });
    return { phone: phone(n), shipment };
  };
  const soon = await scheduled(110, 3_600_000);
  const tomorrow = await scheduled(111, 86_400_000);
  const pausedPhones = [phone(120), phone(121), phone(122)];
  const { shipment_id: pausedShipment } = await sms({
    phones: pausedPhones,
    at: new Date(Date.now() + 60_000).toISOString(),
    campaign_name: 'Paused',
  });
  await api('POST', `/campaigns/${pausedShipment}/pause`);
  await waitFor(
    'the messages are counted',
    async () => ((await api('GET', '/overview')).rows as []).length > 0,
    120_000,
  );
  const answers = await askEverything(url, { token: api, owner: dana, operator });

  // A network that takes nothing more, and a process that is killed.
  await operator('PATCH', '/operator/sandbox', { messages_per_second: 1 });
  const waiting = Array.from({ length: 60 }, (_, n) => phone(200 + n));
  await sms({ phones: waiting, message: 'While you were away' });
  const at = Date.now();
  await kill();
  return {
    at,
    secondFactor: secret,
    code: { phone: codePhone, code },
    soon,
    tomorrow,
    paused: { phones: pausedPhones, shipment: pausedShipment },
    link: path,
    waiting,
    messages,
    answers,
  };
}

/** The owner of the demo account, signed in by the link that the first start prints. */
async function signInByStart(url: string, output: string): Promise<Ask> {
  const token = /\/start#([\w-]{43})/.exec(output)![1];
  const browser = new Browser(url);
  await browser.ask('POST', '/session/link', { token });
  return (...request) => browser.ask(...request);
}

/** Phones of the sandbox. */
class Phones {
  readonly #api: Ask;

  constructor(api: Ask) {
    this.#api = api;
  }

  /** Waits for an SMS at a phone; its text. */
  text(number: string): Promise<string> {
    return waitFor(`an SMS at ${number}`, async () => {
      const { sms } = await this.#api<{ sms: { text: string }[] }>('GET', `/sandbox/phones/${number}`);
      return sms.at(-1)?.text;
    });
  }
}

/** What /v1 cannot be asked for a comparison: streams, files, and what needs more than a path. */
const leftOut = /live|\/messages$|stream|\.csv|export|\/sandbox|find$|languages|\/account\/password$/;

/** Every list of /v1 without parameters, and each of the newest things of some of them. */
async function askEverything(
  url: string,
  callers: Readonly<Record<Asker, Ask>>,
): Promise<History['answers']> {
  const description = (await (await fetch(`${url}/docs/openapi.json`)).json()) as {
    paths: Record<string, { get?: { parameters?: { required?: boolean }[] } }>;
  };
  const answers: (readonly [Asker, string, unknown])[] = [];
  const paths = Object.entries(description.paths)
    .filter(([path, { get }]) => path.startsWith('/v1/') && !path.includes('{') && !leftOut.test(path) && get)
    .filter(([, { get }]) => !get!.parameters?.some(({ required }) => required))
    .map(([path]) => path.slice('/v1'.length));
  for (const who of askers) {
    for (const path of paths) {
      const answer = await callers[who]('GET', path).catch(() => undefined);
      if (answer !== undefined) answers.push([who, path, answer]);
    }
  }
  const { messages } = await callers.token<{ messages: { id: string }[] }>('GET', '/messages?limit=100');
  const { campaigns } = await callers.token<{ campaigns: { id: string }[] }>('GET', '/campaigns');
  const things = [
    ...messages.map(({ id }) => `/messages/${id}`),
    ...campaigns.flatMap(({ id }) => [`/campaigns/${id}`, `/campaigns/${id}/request`]),
  ];
  for (const path of things) {
    const answer = await callers.token('GET', path).catch(() => undefined);
    if (answer !== undefined) answers.push(['token', path, answer]);
  }
  return answers;
}

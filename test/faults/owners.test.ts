import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { RequestLog } from '../../server/api/requests/request-log.ts';
import { ChatNumbers } from '../../server/channels/chat/business-numbers.ts';
import { channels } from '../../server/channels/index.ts';
import { mailChannel } from '../../server/channels/mail/channel.ts';
import { MailRenderer } from '../../server/channels/mail/compose.ts';
import { Contents } from '../../server/channels/mail/contents.ts';
import { createMailModule } from '../../server/channels/mail/module.ts';
import { MailOpens } from '../../server/channels/mail/opens.ts';
import { SignedTokens, tokenFor } from '../../server/channels/mail/signed-tokens.ts';
import { smsChannel } from '../../server/channels/sms/channel.ts';
import { connect } from '../../server/database/connection.ts';
import { DueLook } from '../../server/database/due-look.ts';
import { listen } from '../../server/database/listener.ts';
import { StatusCallbacks } from '../../server/engine/callbacks/status-callbacks.ts';
import { Loader } from '../../server/engine/dispatch/loader.ts';
import { Permits } from '../../server/engine/dispatch/permits.ts';
import { Receipts } from '../../server/engine/dispatch/receipts.ts';
import { Recorder } from '../../server/engine/dispatch/recorder.ts';
import { insertBatches } from '../../server/engine/events/outbox.ts';
import type { Event } from '../../server/engine/events/types.ts';
import { Clicks } from '../../server/engine/links/clicks.ts';
import { CodeNumbers } from '../../server/engine/links/code-numbers.ts';
import { LiveHub } from '../../server/engine/live/hub.ts';
import { HourlyStatistics } from '../../server/engine/messages/hourly-statistics.ts';
import { lanes } from '../../server/engine/messages/lanes.ts';
import { SecretTexts } from '../../server/engine/messages/secret-text.ts';
import { ShipmentProgress } from '../../server/engine/messages/shipment-progress.ts';
import { runningLoops, SharedWork } from '../../server/kit/loop.ts';
import { metrics } from '../../server/kit/observability/metrics.ts';
import {
  currentStep,
  type Owner,
  owners,
  stuckOwners,
  supervise,
  watchOwners,
} from '../../server/kit/owners.ts';
import { status } from '../../server/kit/statuses.ts';
import { Accounts } from '../../server/modules/accounts/accounts.ts';
import { Prices } from '../../server/modules/accounts/prices.ts';
import { TokenUses } from '../../server/modules/accounts/token-uses.ts';
import { CsvJobs } from '../../server/modules/audience/csv-jobs.ts';
import { Suppressions } from '../../server/modules/audience/suppressions.ts';
import { Questions } from '../../server/modules/budgets/questions.ts';
import { Consents } from '../../server/modules/consents/consents.ts';
import { createEventModule } from '../../server/run/app-context.ts';
import { mailAt, v1At } from '../channels/mail/campaign-support.ts';
import { budgetsFor } from '../support/budgets.ts';
import { atEnd } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import { openGate } from '../support/gate.ts';
import { withLockedTables } from '../support/locked-tables.ts';
import { loggedRequest } from '../support/requests.ts';
import { DEMO_TOKEN, startTestService } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';
import { workFor } from '../support/work.ts';
import { call, phone } from './support.ts';

/*
 * Every owner (server/kit/owners.ts), held up by a lock that its statement waits for: it is reported and begins anew. And no
 * statement of the background without an owner.
 */

/** Shorter than the statements' deadline, which would end the wait as well. */
const LIMIT_MS = 2_000;
/** On a busy machine the last of the forty owners was given up after more than 20 seconds. */
const PATIENCE_MS = 90_000;

const lines: string[] = [];
const service = await startTestService({
  // Statements of every owner wait at once, and those that begin later need connections, too.
  settings: { DATABASE_CONNECTIONS: '60', LOG_LEVEL: 'info' },
  logTo: (line) => lines.push(line),
});
const { sql: admin, appContext, demo } = service;
const { log, ids, clock, secrets, accounts } = appContext;
const { sql, asyncCommitSql, placements } = appContext.database;
const accountId = demo.id;

/** A webhook whose answers wait while it is told to. */
const answers: ServerResponse[] = [];
let isHolding = false;
const receiver = createServer((request, response) => {
  request.resume();
  if (isHolding) answers.push(response);
  else response.end();
});
receiver.listen(0, '127.0.0.1');
await once(receiver, 'listening');
atEnd(async () => {
  receiver.closeAllConnections();
  receiver.close();
});

const eventModule = createEventModule(appContext, { allowPrivate: true, deliver: true });
const endpoint = await eventModule.endpoints.register({
  accountId,
  kind: 'webhook',
  url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
});
await eventModule.start();
atEnd(() => eventModule.stop(0));

const event = (): Event => ({
  type: 'message.status',
  at: clock.now(),
  data: {
    message_id: ids.next(),
    external_id: null,
    shipment_id: ids.next(),
    phone: phone(1),
    source: 'Carillon',
    status: status.delivered,
    code: null,
  },
});

const recorder = new Recorder({
  sql,
  placements,
  ids,
  clock,
  events: eventModule,
  log,
  channels,
  prices: new Prices(sql, {}),
  callbacks: new StatusCallbacks({ secrets }),
  hooks: new Map(),
});
const receipts = new Receipts({ sql, ids, clock, recorder, log });
const policies = openGate({
  sql,
  clock,
  channels,
  accounts,
  defaultZone: 'Asia/Jerusalem',
  consents: new Consents({ sql, clock, secrets }),
});
const loader = new Loader({
  channels,
  sql,
  asyncCommitSql,
  placements,
  dueLook: new DueLook({ sql, placements }),
  ids,
  clock,
  log,
  events: eventModule,
  secretTexts: new SecretTexts(secrets),
  permits: new Permits({
    sql,
    clock,
    channels,
    ...policies,
    suppressions: new Suppressions({ sql, secrets }),
  }),
  copyPauseMs: 0,
  owner: appContext.process.boot,
  routes: () => [''],
  waiting: () => 0,
  isMine: () => false,
  deliver() {},
});
const progress = new ShipmentProgress({ sql, clock, log });
const hourlyStatistics = new HourlyStatistics({ sql, placements, clock, log });
const clicks = new Clicks({ sql, ids, log });
const requestLog = new RequestLog({ sql, asyncCommitSql, placements, ids, log });
const tokenUses = new TokenUses({ sql, log });
const signedTokens = new SignedTokens(Buffer.alloc(32));
const base = () => service.url;
const work = workFor(appContext);
const mail = await createMailModule({
  work,
  budgets: budgetsFor(appContext),
  questions: await Questions.open({ sql, clock, secrets }),
  ...policies,
  suppressions: new Suppressions({ sql, secrets }),
  consents: new Consents({ sql, clock, secrets }),
  sql,
  ids,
  clock,
  secrets,
  tokenUses: appContext.tokenUses,
  accounts,
  events: eventModule,
  csvJobs: new CsvJobs({
    ...{ sql, ids, clock, budgets: budgetsFor(appContext) },
    audit: appContext.people.audit,
    owner: appContext.process.boot,
    work,
  }),
  base,
});
const opens = new MailOpens({ sql, clock, log, signedTokens, users: mail.users, clicks });
const renderer = new MailRenderer({
  sql,
  clock,
  log,
  contents: new Contents(sql),
  signedTokens,
  removals: mail.removals,
  base,
  bounceDomain: undefined,
  inboundDomain: undefined,
  from: 'no-reply@shop.example',
});
atEnd(async () => {
  await Promise.all([
    recorder.drain(),
    loader.stop(),
    hourlyStatistics.stop(),
    clicks.stop(),
    requestLog.stop(),
    tokenUses.stop(),
  ]);
  await Promise.all([opens.stop(), renderer.stop()]);
});

/** A mail that went out, so that its user can be noted as one that a mail went to. */
async function takenMail(): Promise<() => void> {
  const api = mailAt(v1At(service.url));
  await api.finished(await api.send([await api.list([{ email: 'reader@example.com' }])]));
  const [message] = await admin<{ id: number; payload: string; phone: string }[]>`
    SELECT id, payload, recipient AS phone FROM messages WHERE channel = ${mailChannel.id} LIMIT 1`;
  await waitFor('the user is noted', async () => {
    const rows = await admin`UPDATE mail_users SET heard = false WHERE heard RETURNING id`;
    return rows.length > 0;
  });
  const read = await renderer.read({
    accountId,
    id: message!.id,
    source: 'news@shop.example',
    destination: message!.phone,
    payload: mailChannel.codec.decode({ own: message!.payload, shared: null, call: null }),
    validUntil: clock.now() + 60_000,
  });
  assert.ok(read.kind === 'mail' && read.taken);
  return read.taken;
}
const noteTaken = await takenMail();

const request = loggedRequest(accountId);
const large = () => ({ id: ids.next(), first_id: 1, last_id: 2, message_count: 5_000, due_at: 0 });
const sendOne = () =>
  call(service.url, { username: 'demo', token: DEMO_TOKEN }, 'sms', {
    source: 'Carillon',
    message: 'Hello',
    destinations: { phone: phone(2) },
  });
/** A phone writes to the business number, so that the platform of the sandbox sends a webhook. */
const writeChat = () =>
  fetch(`${service.url}/v1/sandbox/phones/${phone(4)}/chat`, {
    method: 'POST',
    headers: { authorization: `Bearer ${DEMO_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '972550000001', body: 'Hello' }),
  });
const hub = new LiveHub({ sql, clock, log, progress });
atEnd(async () => hub.stop());
const watchLive = () =>
  hub.open(
    { accountId, messageIds: [1], shipmentIds: [], phones: [], conversations: false, conversationId: null },
    undefined,
    () => {},
    () => {},
  );

/** By when writes have to wait: what makes the owner write. */
const writers: Partial<Record<(typeof owners)[number], () => unknown>> = {
  accept: sendOne,
  'changed hours': () => hourlyStatistics.changed(accountId, [ids.next()]),
  clicks: () => clicks.add({ accountId, shipmentId: 1, messageId: 1 }, 1, 'person'),
  'event backlogs': () => {},
  'event batches': () => {},
  'event results'() {
    isHolding = false;
    for (const answer of answers.splice(0)) answer.end();
  },
  'incoming chats': writeChat,
  'link codes': () => new CodeNumbers(sql, clock).take(1),
  loader: () => loader.hint(accountId, lanes.single),
  'opens of mails': () => opens.opened(signedTokens.write({ accountId, messageId: 1, what: tokenFor.open })),
  recorder: () => recorder.add({ accountId, messageId: 1, phone: phone(3), delivered: -1 }),
  'request log': () => requestLog.add(request),
  'shipment counts': () => progress.ofOne(accountId, large()),
  'token uses'() {
    tokenUses.note(1, 1);
    return tokenUses.flush();
  },
  'users that mails went to': noteTaken,
  'webhook attempts': () =>
    eventModule.attempts.add({
      accountId,
      endpointId: endpoint.id,
      eventKey: 'evt_1_0',
      duration: 1_000,
      status: 200,
      error: null,
      answer: null,
    }),
};

/** By when reads have to wait, too. */
const readers: Partial<Record<(typeof owners)[number], () => unknown>> = {
  accounts: () => new Accounts(sql, ids, clock).byId(accountId),
  'alert rules': () => loopsOf('alert rules'),
  'alert recipients': () => loopsOf('alert recipients'),
  'alerts to people': () => loopsOf('alerts to people'),
  'alerts to the operator': () => loopsOf('alerts to the operator'),
  authors: () => loopsOf('authors'),
  'automatic replies': () => loopsOf('automatic replies'),
  'background work': () => loopsOf('background work'),
  'business numbers': () => new ChatNumbers({ sql, ids, clock, secrets }).find('972550000001'),
  campaigns: () => loopsOf('campaigns'),
  'sending policies': () => policies.sendingPolicies.refresh(),
  'chat connectors': () => loopsOf('chat connectors'),
  'codes by hour': () => loopsOf('codes by hour'),
  confirmations: () => loopsOf('confirmations'),
  'connectors and routes': () => loopsOf('connectors and routes'),
  'contact lists': () => loopsOf('contact lists'),
  'data subjects': () => loopsOf('data subjects'),
  'destination rules': () => policies.destinations.refresh(),
  dispatcher: () => loopsOf('dispatcher'),
  'due scan': () => loader.scanNow(),
  'early chat statuses': () => loopsOf('early chat statuses'),
  'emptied mailing lists': () => loopsOf('emptied mailing lists'),
  endpoints: () => loopsOf('events'),
  'ends of campaigns': () => loopsOf('ends of campaigns'),
  events: () => loopsOf('events'),
  fallbacks: () => loopsOf('fallbacks'),
  'first alert rules': () => loopsOf('first alert rules'),
  gauges: () => loopsOf('gauges'),
  heartbeat: () => loopsOf('heartbeat'),
  'live streams': watchLive,
  'login throttle': () => loopsOf('login throttle'),
  'media fetches': () => loopsOf('media fetches'),
  'messages by hour': () => loopsOf('messages by hour'),
  'paused campaigns': () => loopsOf('paused campaigns'),
  peers: () => loopsOf('peers'),
  'suspended accounts': () => loopsOf('suspended accounts'),
  'process report': () => loopsOf('process report'),
  quarantine: () => loopsOf('quarantine'),
  receipts: () =>
    receipts.receipt('nowhere', { carrierId: 'x', destination: '', status: status.delivered, code: '' }),
  retention: () => loopsOf('retention'),
  'send keys': () => loopsOf('send keys'),
  'silent conversations': () => loopsOf('silent conversations'),
  'template fetches': () => loopsOf('template fetches'),
  'template submissions': () => loopsOf('template submissions'),
  'text storage': () => loopsOf('text storage'),
  upkeep: () => loopsOf('upkeep'),
};

function loopsOf(owner: Owner): Promise<unknown> {
  const mine = runningLoops().filter((loop) => loop.owner === owner);
  assert.ok(mine.length > 0, `no loop of ${owner} runs`);
  return Promise.all(mine.map((loop) => loop.run()));
}

/** Does what makes an owner work; that it fails then is its way to say that it was given up. */
const provoke = (work: () => unknown): void => void Promise.try(work).catch(() => {});

async function stuckCounts(): Promise<Map<string, number>> {
  const { values } = await metrics.getSingleMetric('carillon_stuck_owners_total')!.get();
  return new Map(values.map(({ labels, value }) => [String(labels.owner), value]));
}

/** Runs `work` while every table is locked in this mode. */
async function locked<T>(mode: 'EXCLUSIVE' | 'ACCESS EXCLUSIVE', work: () => Promise<T>): Promise<T> {
  const tables = await admin<{ name: string }[]>`
    SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`;
  return withLockedTables(
    admin,
    tables.map(({ name }) => name),
    mode,
    work,
  );
}

/**
 * Holds up these owners by locks. Returns false without a look at them if the locks were there after `latest`, in milliseconds
 * since the epoch.
 */
async function holdUp(
  mode: 'EXCLUSIVE' | 'ACCESS EXCLUSIVE',
  held: Partial<Record<(typeof owners)[number], () => unknown>>,
  latest = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const names = Object.keys(held) as Owner[];
  const before = await stuckCounts();
  const missing = async () => {
    const counts = await stuckCounts();
    return names.filter((owner) => (counts.get(owner) ?? 0) <= (before.get(owner) ?? 0));
  };
  const isInTime = await locked(mode, async () => {
    if (clock.now() >= latest) return false;
    for (const work of Object.values(held)) provoke(work);
    const shown = new Set<string>();
    let left: Owner[] = names;
    const allGivenUp = async () => {
      for (const what of stuckOwners()) shown.add(what);
      left = await missing();
      return left.length === 0;
    };
    await waitFor('each is given up', allGivenUp, PATIENCE_MS).catch((error: unknown) => {
      throw new Error(`not given up: ${left.join(', ')}`, { cause: error });
    });
    for (const owner of names) assert.ok(shown.has(`stuck: ${owner}`), `${owner} is not shown`);
    const { problems } = (await (await fetch(`${service.url}/readyz?for=dispatch`)).json()) as {
      problems: string[];
    };
    assert.ok(problems.some((problem) => problem.startsWith('stuck: ')));
    return true;
  });
  if (!isInTime) return false;
  for (const owner of names) {
    const isLogged = lines.some(
      (line) => line.includes(`"owner":"${owner}"`) && line.includes('was restarted'),
    );
    assert.ok(isLogged, `${owner} is not logged`);
  }
  // Those that do not begin by themselves are asked again.
  for (const work of Object.values(held)) provoke(work);
  await waitFor('each has begun anew', () => stuckOwners().length === 0).catch((error: unknown) => {
    throw new Error(`does not go on: ${stuckOwners().join(', ')}`, { cause: error });
  });
  return true;
}

test('no statement of the background is without an owner', async () => {
  const orphans = new Set<string>();
  assert.equal((await sendOne()).status, 0);
  const observe = (text: string) => {
    // A hint is one statement, which its deadline ends, and nothing waits for it.
    if (text.includes('pg_notify')) return;
    const step = currentStep();
    if (!step || step.isOver) orphans.add(text.trim().replaceAll(/\s+/g, ' ').slice(0, 100));
  };
  for (const one of [sql, asyncCommitSql]) one.options.observe = observe;
  try {
    await Promise.all(runningLoops().map((loop) => loop.run()));
    await waitFor('the message is final', async () => {
      const [row] = await admin`SELECT 1 FROM messages WHERE channel = ${smsChannel.id} AND final_at IS NULL`;
      return row === undefined;
    });
    await Promise.all(runningLoops().map((loop) => loop.run()));
  } finally {
    for (const one of [sql, asyncCommitSql]) one.options.observe = undefined;
  }
  assert.deepEqual([...orphans], []);
});

/**
 * Calls the webhook, which does not answer. An older call could be over its deadline soon, and the endpoint that is found down is
 * written first: the others would not begin.
 */
async function holdWebhook(): Promise<void> {
  isHolding = true;
  for (const answer of answers.splice(0)) answer.end();
  await admin.begin((tx) => eventModule.record(tx, accountId, [event()]));
  await waitFor('the webhook is called', () => answers.length > 0);
}

test('every owner that waits for a write is reported and restarted', async () => {
  watchOwners(log, LIMIT_MS, LIMIT_MS);
  // Free in a moment: by then the tables are locked, or it is tried again.
  for (let isHeldUp = false; !isHeldUp; ) {
    await holdWebhook();
    const soon = clock.now() + 1_000;
    const events = JSON.stringify([event()]);
    const batch = { accountId, id: ids.next(), count: 1, events, claim: null, until: soon };
    await admin.begin((tx) => insertBatches(tx, [batch]));
    await admin`
      INSERT INTO event_backlogs (account_id, endpoint_id, next_at) VALUES (${accountId}, ${endpoint.id}, ${soon})
      ON CONFLICT (account_id, endpoint_id) DO UPDATE SET next_at = excluded.next_at, lease_until = 0`;
    isHeldUp = await holdUp('EXCLUSIVE', writers, soon);
  }
});

test('every owner that waits for a read is reported and restarted', async () => {
  watchOwners(log, LIMIT_MS, LIMIT_MS);
  await holdUp('ACCESS EXCLUSIVE', readers);
});

test('a listener whose connection does not return is reported and restarted', async () => {
  const { host, port, password, database } = connectionOf();
  const proxy = await DatabaseProxy.start(join(host, `.s.PGSQL.${port}`));
  atEnd(() => proxy.stop());
  const through = connect(
    { host: '127.0.0.1', port: proxy.port, password, database },
    { acquireMs: 10 * LIMIT_MS, max: 1 },
  );
  const heard: string[] = [];
  const listener = await listen(through, { news: (payload) => heard.push(payload) });
  atEnd(async () => {
    await listener.stop();
    await through.end();
  });
  const before = (await stuckCounts()).get('listener') ?? 0;
  watchOwners(log, LIMIT_MS, LIMIT_MS);
  proxy.holdNew();
  proxy.cut();
  await waitFor('it is given up', async () => ((await stuckCounts()).get('listener') ?? 0) > before);
  proxy.resume();
  await waitFor('it is heard again', async () => {
    await admin.notify('news', 'again');
    return heard.includes('again');
  });
});

test('each owner is held up above', () => {
  const held = [...Object.keys(writers), ...Object.keys(readers), 'listener'];
  assert.deepEqual(held.toSorted(), owners.toSorted());
});

test('work that waits for shared work makes progress when that does', async () => {
  watchOwners(log, 2_500, 2_500);
  const shared = new SharedWork('accounts', async () => {
    for (let n = 0; n < 4; n++) await sql`SELECT pg_sleep(0.8)`;
  });
  await supervise('gauges', () => shared.run());
});

function connectionOf() {
  const { target } = sql.options;
  if ('url' in target) {
    const url = new URL(target.url);
    return {
      host: url.searchParams.get('host')!,
      port: Number(url.port),
      password: decodeURIComponent(url.password),
      database: url.pathname.slice(1),
    };
  }
  return target;
}

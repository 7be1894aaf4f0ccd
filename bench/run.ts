/* `npm run bench`: measures and prints a table. See README.md in this folder. */
import { chmod, glob, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildProgram } from '../tools/build-program.ts';
import { capacity } from './parts/capacity.ts';
import { chat } from './parts/chat.ts';
import { chatFloor } from './parts/chat-floor.ts';
import { cluster } from './parts/cluster.ts';
import { consolePages } from './parts/console.ts';
import { conversations } from './parts/conversations.ts';
import { cores } from './parts/cores.ts';
import { dlr } from './parts/dlr.ts';
import { floor } from './parts/floor.ts';
import { grown } from './parts/grown.ts';
import { heldSnapshot } from './parts/held-snapshot.ts';
import { httpBatches } from './parts/http-batches.ts';
import { lists } from './parts/lists.ts';
import { mail } from './parts/mail.ts';
import { million } from './parts/million.ts';
import { policy } from './parts/policy.ts';
import { processes } from './parts/processes.ts';
import { retention } from './parts/retention.ts';
import { routing } from './parts/routing.ts';
import { smppIn } from './parts/smpp-in.ts';
import { coldStarts } from './parts/start.ts';
import { sweep } from './parts/sweep.ts';
import { tenants } from './parts/tenants.ts';
import { texts } from './parts/texts.ts';
import { throttled } from './parts/throttled.ts';
import { throughput } from './parts/throughput.ts';
import { tracing } from './parts/tracing.ts';
import { voice } from './parts/voice.ts';
import { atTheEnd, cleanUp, isEnding } from './support/cleanup.ts';
import { prepareField } from './support/field.ts';
import { kannelVersion } from './systems/kannel.ts';
import { type Results, table } from './table.ts';

const USAGE = `npm run bench -- [parts] [options]

parts, all by default:
  single     one message a request, beside Kannel
  bulk       2,500 messages a request, beside Kannel
  floor      one message a request and \`bulk\`, beside the least work that they can cost in Node.js
  chat-floor one chat message a request and one message of a client a webhook, beside the least work that they can cost
             in Node.js (only by name)
  sweep      one message a request over 25 to 400 connections, and Kannel's max-pending-submits (only by name)
  tenants    one message a request and \`bulk\` of 100, from 1, 200 and 1,000 accounts in turns
  held-snapshot
             the same while a transaction has been open since before \`--held\` messages
  grown      the same, reports and searches with \`--stored\` messages in the database
  processes  two processes that accept and two that send, beside one
  cluster    what messages cost on plain PostgreSQL and on Citus with 1, 2 and 4 workers (only by name)
  tracing    one message a request and \`bulk\` without traces, with traces of 1 % of requests, and of all (only by
             name)
  texts      one message a request and \`bulk\` with texts plain, encrypted (sealed) and not kept (none) (only by name)
  policy     one message a request and \`bulk\` without a sending policy, with hours, and with hours and a frequency cap
  routing    one message a request and \`bulk\` with one route, with 200, and with 200 of which the last chooses by delivered share
             (only by name)
  http-batches
             one message a request and \`bulk\` over a provider with an HTTP interface, with a request for each message and with
             batches (only by name)
  throttled  \`bulk\` over a carrier that refuses 35 % at random, with one and two binds (only by name)
  cores      one message a request at one rate, and \`bulk\`, with one, two and four processes (PROCESSES) (only by name)
  capacity   what a message and a transaction cost here, and simulated machines with 2 to 32 cores (only by name)
  console    pages of the console in Chromium: navigation, and a list of 10,000 messages that is scrolled through (only by
             name)
  smpp-in    messages of an SMPP client with windows of 1, 10 and 50 and with 1, 4 and 20 binds (only by name)
  retention  the removal of old texts of many accounts, alone and beside single messages, with \`--stored\` messages
             (only by name)
  million    a million messages waiting: memory, and the rate at the beginning and at the end
  latency    a single message while the million goes out (brings \`million\`)
  start      from the start of the process to ready, with data
  dlr        reports of 1,000 messages by their ids, among ten million
  lists      a send to a contact list of a million: answer, rate, memory
  chat       a template campaign to a contact list through the sandbox's chat platform
  mail       a mail to a mailing list through a relay that counts, without a signature (DKIM) and with one
  conversations
             messages of clients, and what the console reads of conversations, with few of them and with very many
  voice      calls to the sandbox's telephone exchange: 200 at once, and many short ones

options:
  --keys         \`single\` with a send key on every request, too, in turns with it
  --rate N       requests of \`single\` a second, so that what a message costs is compared at one rate
  --messages N   of \`single\` in a round (45000); Kannel gets a third, \`bulk\` five times as many, \`bulk\` of
                 the parts that compare twice as many
  --waiting N    messages of \`million\` (1000000)
  --stored N     messages in the table of \`dlr\`, \`grown\` and \`retention\` (10000000)
  --held N       messages of each kind that are sent before \`held-snapshot\` is measured (100000)
  --contacts N   contacts of the list of \`lists\` (1000000); \`chat\` and \`mail\` get a tenth
  --workers LIST databases of \`cluster\`: numbers of workers, 0 for plain PostgreSQL (0,1,2,4)
  --shards N     of \`cluster\` (8)
  --conversations N
                 of the part of this name (1000000)
  --calls N      short calls of \`voice\` (10000)
  --rounds N     how often short measurements are made (3)
  --no-peer      without Kannel
  --profile DIR  writes CPU profiles of the server process there (it is slower then)
  --json         prints the figures of every round as JSON`;

const PARTS = [
  'single',
  'bulk',
  'floor',
  'tenants',
  'held-snapshot',
  'grown',
  'processes',
  'million',
  'latency',
  'start',
  'dlr',
  'lists',
  'chat',
  'mail',
  'conversations',
  'voice',
];
/** Parts that run only when they are named. */
const ONLY_BY_NAME = [
  'chat-floor',
  'sweep',
  'cluster',
  'cores',
  'capacity',
  'tracing',
  'texts',
  'policy',
  'routing',
  'http-batches',
  'throttled',
  'retention',
  'console',
  'smpp-in',
];
/** Type of a file system in memory (statfs(2)), on which fsync costs nothing. */
const TMPFS = 0x01021994;
/** Milliseconds from submit_sm to the receipt. */
const RECEIPT_DELAY_MS = 100;

const progress = (line: string) => console.error(`  ${line}`);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keys: { type: 'boolean', default: false },
    rate: { type: 'string' },
    messages: { type: 'string', default: '45000' },
    waiting: { type: 'string', default: '1000000' },
    stored: { type: 'string', default: '10000000' },
    held: { type: 'string', default: '100000' },
    contacts: { type: 'string', default: '1000000' },
    workers: { type: 'string', default: '0,1,2,4' },
    shards: { type: 'string', default: '8' },
    conversations: { type: 'string', default: '1000000' },
    calls: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    'no-peer': { type: 'boolean', default: false },
    profile: { type: 'string' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const numbers = [
  values.rate ?? '1',
  values.messages,
  values.waiting,
  values.stored,
  values.held,
  values.contacts,
  values.conversations,
  values.shards,
  values.calls,
  values.rounds,
];
const usable =
  positionals.every((part) => [...PARTS, ...ONLY_BY_NAME].includes(part)) &&
  numbers.every((n) => /^[1-9]\d*$/.test(n)) &&
  /^\d+(?:,\d+)*$/.test(values.workers);
if (values.help || !usable) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}

const folder = await mkdtemp(join(tmpdir(), 'carillon-bench-'));
atTheEnd(() => rm(folder, { recursive: true, force: true }));
// PostgreSQL may run as another user.
await chmod(folder, 0o755);
try {
  await main();
} catch (error) {
  if (!isEnding()) {
    console.error(error);
    await showLogs();
  }
  process.exitCode = 1;
} finally {
  await cleanUp();
}

async function main(): Promise<void> {
  await buildProgram();
  if ((await statfs(folder)).type === TMPFS) progress(`${folder} is in memory: fsync costs nothing there`);
  if (!values['no-peer'] && !kannelVersion()) progress('Kannel is not installed: see bench/README.md');
  const wanted = (part: string) => positionals.length === 0 || positionals.includes(part);
  const common = {
    field: await prepareField(RECEIPT_DELAY_MS),
    rounds: Number(values.rounds),
    profile: values.profile && resolve(values.profile),
    progress,
  };
  const results: { -readonly [Name in keyof Results]: Results[Name] } = {};
  if (wanted('single') || wanted('bulk')) {
    results.throughput = await throughput({
      ...common,
      folder,
      messages: Number(values.messages),
      single: wanted('single'),
      keys: values.keys,
      rate: values.rate === undefined ? undefined : Number(values.rate),
      bulk: wanted('bulk'),
      peer: !values['no-peer'],
    });
  }
  const messages = Number(values.messages);
  if (wanted('floor')) results.floor = await floor({ ...common, folder: join(folder, 'floor'), messages });
  if (positionals.includes('chat-floor')) {
    results.chatFloor = await chatFloor({ ...common, folder: join(folder, 'chat-floor'), messages });
  }
  if (positionals.includes('sweep')) results.sweep = await sweep({ ...common, folder, messages });
  if (wanted('tenants')) results.tenants = await tenants({ ...common, folder, messages });
  if (wanted('held-snapshot')) {
    results.heldSnapshot = await heldSnapshot({ ...common, folder, messages, held: Number(values.held) });
  }
  if (wanted('grown')) {
    results.grown = await grown({ ...common, folder, messages, stored: Number(values.stored) });
  }
  if (wanted('processes')) results.processes = await processes({ ...common, folder, messages });
  if (positionals.includes('tracing')) results.tracing = await tracing({ ...common, folder, messages });
  if (positionals.includes('policy')) results.policy = await policy({ ...common, folder, messages });
  if (positionals.includes('routing')) results.routing = await routing({ ...common, folder, messages });
  if (positionals.includes('http-batches'))
    results.httpBatches = await httpBatches({ ...common, folder, messages });
  if (positionals.includes('throttled')) results.throttled = await throttled({ ...common, folder, messages });
  if (positionals.includes('texts')) results.texts = await texts({ ...common, folder, messages });
  if (positionals.includes('cores')) {
    const rate = values.rate === undefined ? {} : { rate: Number(values.rate) };
    results.cores = await cores({ ...common, ...rate, folder, messages });
  }
  if (positionals.includes('capacity')) {
    results.capacity = await capacity({ ...common, folder, messages });
  }
  if (positionals.includes('console'))
    results.console = await consolePages({ ...common, folder: join(folder, 'console') });
  if (positionals.includes('smpp-in'))
    results.smppIn = await smppIn({ ...common, folder: join(folder, 'smpp-in'), messages });
  if (positionals.includes('retention')) {
    results.retention = await retention({ ...common, folder, messages, stored: Number(values.stored) });
  }
  if (positionals.includes('cluster')) {
    const workers = values.workers.split(',').map(Number);
    results.cluster = await cluster({ ...common, folder, messages, workers, shards: Number(values.shards) });
  }
  const waitingFolder = join(folder, 'waiting');
  const waited =
    wanted('million') || wanted('latency')
      ? await million({
          ...common,
          folder: waitingFolder,
          waiting: Number(values.waiting),
          latency: wanted('latency'),
        })
      : undefined;
  if (waited) results.million = waited.figures;
  if (wanted('start')) {
    results.starts = await coldStarts({ ...common, folder: waitingFolder, carillon: waited?.carillon });
  } else {
    await waited?.carillon.stop();
  }
  if (wanted('dlr')) {
    results.dlr = await dlr({ ...common, folder: join(folder, 'dlr'), stored: Number(values.stored) });
  }
  if (wanted('lists')) {
    results.lists = await lists({
      ...common,
      folder: join(folder, 'lists'),
      contacts: Number(values.contacts),
    });
  }
  if (wanted('chat')) {
    results.chat = await chat({
      ...common,
      folder: join(folder, 'chat'),
      contacts: Math.ceil(Number(values.contacts) / 10),
    });
  }
  if (wanted('mail')) {
    results.mail = await mail({
      ...common,
      folder: join(folder, 'mail'),
      users: Math.ceil(Number(values.contacts) / 10),
    });
  }
  if (wanted('conversations')) {
    results.conversations = await conversations({
      ...common,
      folder: join(folder, 'conversations'),
      conversations: Number(values.conversations),
    });
  }
  if (wanted('voice')) results.voice = await voice({ calls: Number(values.calls), progress });
  console.log(values.json ? JSON.stringify(results, null, 2) : table(results));
}

/** Shows the ends of the systems' logs, after a failure. */
async function showLogs(): Promise<void> {
  for await (const path of glob(join(folder, '*', '*.log'))) {
    const text = await readFile(path, 'utf8');
    if (text !== '') console.error(`--- ${path}\n${text.slice(-3_000)}`);
  }
}

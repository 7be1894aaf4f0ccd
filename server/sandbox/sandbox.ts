import type { FastifyInstance } from 'fastify';
import type { AccountPasswords } from '../accounts/account-passwords.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { TokenUses } from '../accounts/token-uses.ts';
import type { Tokens } from '../accounts/tokens.ts';
import type { Wallets } from '../accounts/wallets.ts';
import { type CarrierConfiguration, singleLink } from '../carriers/configuration.ts';
import { ChatNumbers } from '../channels/chat/numbers.ts';
import { MailTokens } from '../channels/mail/tokens.ts';
import type { AdjustableClock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Sql } from '../database/connection.ts';
import { maintainPartitions } from '../database/partitions.ts';
import type { IdSource } from '../ids.ts';
import type { PhoneFeed } from '../live/hub.ts';
import type { NumberReader } from '../numbers/numbers.ts';
import type { Logger } from '../observability/log.ts';
import type { PeopleModule } from '../people/module.ts';
import type { SandboxControls } from '../sandbox-handle.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { sandboxApi } from './api.ts';
import { deliveryTimes, demoBusiness, type SandboxChat, startSandboxChat } from './chat.ts';
import { createDemoChat } from './chat-demo.ts';
import { saveClock } from './clock-store.ts';
import { type DemoSecrets, ensureDemoAccount, ensureDemoPeople } from './demo.ts';
import { keepDemoState, readDemoState } from './demo-credentials.ts';
import { type MailSink, openMailSink } from './mail/sink.ts';
import { phoneFeed } from './phone-feed.ts';
import { requireDemoAccount } from './sign-in.ts';
import { kosherError } from './smsc/simulated-outcomes.ts';
import { SandboxSmsc } from './smsc/smsc.ts';
import { SANDBOX_CALL_NUMBER, type SandboxVoice, startSandboxVoice } from './voice.ts';

const SYSTEM_ID = 'sandbox';
const KOSHER_STATUS = 15;
/** Calls of the sandbox's trunk. */
const CALLS_AT_ONCE = 100;

interface SandboxDeps {
  readonly config: Config;
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: AdjustableClock;
  readonly log: Logger;
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly tokenUses: TokenUses;
  readonly wallets: Wallets;
  readonly numbers: NumberReader;
  readonly people: PeopleModule;
  readonly passwords: AccountPasswords;
  readonly secrets: SecretBox;
}

/** The other end of every protocol, on loopback. */
export interface Sandbox {
  /** How to reach its network. */
  readonly carriers: CarrierConfiguration;
  readonly chat: SandboxChat;
  /** What comes to its phones. */
  readonly phones: PhoneFeed;
  /** The number that landlines call to be verified. */
  readonly callNumber: string;
  readonly voice: SandboxVoice;
  readonly mail: MailSink;
  readonly demoAccountId: number;
  /** Set when the demo account was made by this start. */
  readonly secrets: DemoSecrets | undefined;
  /** Signs in as `demo`, once, soon after the start: what the link that is printed has behind its `#`. */
  readonly signInToken: string;
  /** By which the operator chooses a password, once; undefined when there is one. */
  readonly operatorToken: string | undefined;
  /** How it behaves, for operators. */
  readonly controls: SandboxControls;
  /** Its JSON API under `/v1/sandbox`, a Fastify plugin. */
  readonly api: (app: FastifyInstance) => Promise<void>;
  close(): Promise<void>;
}

/** Creates the demo account with its people and business number, and the links that are printed. */
async function createDemo(deps: SandboxDeps) {
  const { config, sql, ids, clock, accounts, tokens, wallets, people } = deps;
  const { account, secrets: demoSecrets } = await ensureDemoAccount({
    accounts,
    tokens,
    mailTokens: new MailTokens(deps).lasting,
    wallets,
    sql,
    retired: (await readDemoState(sql)) === 'retired',
    preset: {
      token: config.CARILLON_DEMO_TOKEN,
      mailToken: config.CARILLON_DEMO_MAIL_TOKEN,
      password: config.CARILLON_DEMO_PASSWORD,
    },
  });
  const { demo, operatorLink } = await ensureDemoPeople(people.people, account);
  await keepDemoState(sql, 'active');
  const { token: signInToken } = await people.links.make(sql, demo.id, 'sign-in');
  await createDemoChat(
    { sql, ids, clock, numbers: new ChatNumbers({ sql, ids, clock, secrets: deps.secrets }) },
    account.id,
    demoBusiness,
  );
  return { account, secrets: demoSecrets, signInToken, operatorToken: operatorLink?.token };
}

/** How the simulated networks behave, for operators. */
function controlsOf(
  smsc: SandboxSmsc,
  chat: SandboxChat,
  clock: SandboxDeps['clock'],
): Omit<SandboxControls, 'advance'> {
  return {
    read: () => ({
      receiptDelayMs: smsc.behaviour.receiptDelayMs,
      messagesPerSecond: smsc.behaviour.messagesPerSecond,
      chatMessagesPerSecond: chat.platform.behaviour.messagesPerSecond,
      now: clock.now(),
    }),
    change({ receiptDelayMs, messagesPerSecond, chatMessagesPerSecond }) {
      smsc.change({
        ...(receiptDelayMs !== undefined && { receiptDelayMs }),
        ...(messagesPerSecond !== undefined && { messagesPerSecond }),
      });
      chat.platform.change({
        ...(receiptDelayMs !== undefined && deliveryTimes(receiptDelayMs)),
        ...(chatMessagesPerSecond !== undefined && { messagesPerSecond: chatMessagesPerSecond }),
      });
    },
  };
}

/** Starts the simulated networks and makes the demo account. */
export async function startSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const { config, sql, clock, log, accounts, tokens, numbers, people, passwords } = deps;
  const { account, ...demo } = await createDemo(deps);
  const smsc = new SandboxSmsc({
    accounts: { [SYSTEM_ID]: SYSTEM_ID },
    log,
    clock,
    receiptDelayMs: config.SANDBOX_RECEIPT_DELAY_MS,
    messagesPerSecond: config.SANDBOX_MESSAGES_PER_SECOND,
  });
  const port = await smsc.listen(0, '127.0.0.1');
  const chat = await startSandboxChat({
    sql,
    clock,
    log,
    messagesPerSecond: config.SANDBOX_CHAT_MESSAGES_PER_SECOND,
    deliveryMs: config.SANDBOX_RECEIPT_DELAY_MS,
    preset: { appSecret: config.CHAT_APP_SECRET, verifyToken: config.CHAT_VERIFY_TOKEN },
  });
  const voice = await startSandboxVoice({ clock, log, ringMs: config.SANDBOX_RING_MS });
  const mail = await openMailSink({ clock, log, reportMs: config.SANDBOX_RECEIPT_DELAY_MS });
  const signIn = { accounts, tokens, people, clock, passwords };
  const advance = async (milliseconds: number): Promise<number> => {
    clock.advance(milliseconds);
    await saveClock(sql, clock);
    await maintainPartitions(sql, clock.now(), config);
    return clock.now();
  };
  return {
    carriers: singleLink(
      {
        name: 'sandbox',
        host: '127.0.0.1',
        port,
        systemId: SYSTEM_ID,
        password: SYSTEM_ID,
        errorStatuses: { [kosherError]: KOSHER_STATUS },
        reconnectMinMs: 50,
        reconnectMaxMs: 1_000,
      },
      {
        name: 'sandbox-voice',
        uri: voice.uri,
        callerId: SANDBOX_CALL_NUMBER,
        callsAtOnce: CALLS_AT_ONCE,
        callsPerSecond: 0,
      },
    ),
    chat,
    phones: phoneFeed(smsc.phones, chat.platform.phones, voice),
    callNumber: voice.number,
    voice,
    mail,
    demoAccountId: account.id,
    ...demo,
    controls: { ...controlsOf(smsc, chat, clock), advance },
    async api(app) {
      requireDemoAccount(app, { signIn, demoAccountId: account.id });
      await app.register(sandboxApi, {
        smsc,
        platform: chat.platform,
        voice,
        mailboxes: mail.mailboxes,
        normaliseNumber: (text: string) => numbers.parse(text)?.digits ?? null,
        advance,
      });
    },
    async close() {
      await Promise.all([smsc.close(), chat.platform.close(), mail.close(), voice.exchange.stop()]);
    },
  };
}

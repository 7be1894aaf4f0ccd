import type { FastifyInstance } from 'fastify';
import { ChatNumbers } from '../channels/chat/business-numbers.ts';
import { chatSettings } from '../channels/chat/settings.ts';
import { MailTokens } from '../channels/mail/tokens.ts';
import type { Sql } from '../database/connection.ts';
import type { Tables } from '../database/define-tables.ts';
import { maintainPartitions, makePartitions } from '../database/partitions.ts';
import type { AdjustableClock } from '../kit/clock.ts';
import type { Config } from '../kit/config.ts';
import { settingsOf } from '../kit/config.ts';
import type { IdSource } from '../kit/ids.ts';
import type { NumberReader } from '../kit/numbers/phone-numbers.ts';
import type { Logger } from '../kit/observability/log.ts';
import type { AccountPasswords } from '../modules/accounts/account-passwords.ts';
import type { Account, Accounts } from '../modules/accounts/accounts.ts';
import type { TokenUses } from '../modules/accounts/token-uses.ts';
import type { Tokens } from '../modules/accounts/tokens.ts';
import type { Wallets } from '../modules/accounts/wallets.ts';
import type { PeopleModule } from '../modules/people/open.ts';
import type { SandboxHandle } from '../run/sandbox-handle.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { sandboxApi } from './api.ts';
import { demoBusiness } from './chat.ts';
import { createDemoChat } from './chat-demo.ts';
import { advanceClock, followClock } from './clock-store.ts';
import { type DemoSecrets, ensureDemoAccount, ensureDemoPeople } from './demo.ts';
import { keepDemoState, readDemoState } from './demo-credentials.ts';
import { carriersAt, type Networks, openNetworks } from './networks.ts';
import { requireDemoAccount } from './sign-in.ts';

/** Advisory lock held while a process creates the demo account. */
const DEMO_LOCK = 20_25_01_04;

export interface SandboxDeps {
  readonly config: Config;
  readonly sql: Sql;
  readonly tables: Tables;
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

/** The sandbox for the service, with the values that its start prints. */
export interface Sandbox extends SandboxHandle {
  /** Set when this start created the demo account. */
  readonly secrets: DemoSecrets | undefined;
  /**
   * Token for signing in as `demo` once, shortly after the start: the part after `#` in the printed link. Undefined
   * when nothing is printed.
   */
  readonly signInToken: string | undefined;
  /** Token with which the operator chooses a password once; undefined when the operator already has one. */
  readonly operatorToken: string | undefined;
}

/** Properties of a handle that come from the demo account. */
export type Demo = Pick<Sandbox, 'demoAccountId' | 'secrets' | 'signInToken' | 'operatorToken'>;

/**
 * Creates the demo account with its business number; with `greets`, also its people and the links to print. Processes
 * that start at the same time run this one after the other.
 */
export async function createDemo(deps: SandboxDeps, greets: boolean): Promise<Demo> {
  return deps.sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(${DEMO_LOCK})`;
    await deps.accounts.reload();
    const { account, secrets } = await demoAccount(deps);
    const links = greets ? await demoLinks(deps, account) : undefined;
    return {
      demoAccountId: account.id,
      secrets,
      signInToken: links?.signInToken,
      operatorToken: links?.operatorToken,
    };
  });
}

async function demoAccount(deps: SandboxDeps) {
  const { config, sql, ids, clock, accounts, tokens, wallets } = deps;
  const made = await ensureDemoAccount({
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
  await keepDemoState(sql, 'active');
  await createDemoChat(
    { sql, ids, clock, numbers: new ChatNumbers({ sql, ids, clock, secrets: deps.secrets }) },
    made.account.id,
    demoBusiness,
  );
  return made;
}

async function demoLinks({ sql, people }: SandboxDeps, account: Account) {
  const { demo, operatorLink } = await ensureDemoPeople(people.people, account);
  const { token: signInToken } = await people.links.make(sql, demo.id, 'sign-in');
  return { signInToken, operatorToken: operatorLink?.token };
}

/** Advances the sandbox's clock by milliseconds, in this process and shortly after in all others. Returns its time. */
export async function advance(
  { sql, clock, config, tables }: Pick<SandboxDeps, 'sql' | 'clock' | 'config' | 'tables'>,
  milliseconds: number,
): Promise<number> {
  // Before the clock moves, because due work then stores rows of the new time immediately.
  await followClock(sql, clock);
  await makePartitions(sql, clock.now() + milliseconds, tables.partitioned);
  await advanceClock(sql, clock, milliseconds);
  await maintainPartitions(sql, clock.now(), config, tables.partitioned);
  return clock.now();
}

/** Returns the sandbox API for networks of this process. */
export function apiOf(
  networks: Networks,
  deps: Pick<SandboxDeps, 'sql' | 'clock' | 'config' | 'tables' | 'numbers'>,
): (app: FastifyInstance) => Promise<void> {
  return async (app) => {
    await app.register(sandboxApi, {
      smsc: networks.smsc,
      platform: networks.chat.platform,
      voice: networks.voice,
      mailboxes: networks.mail.mailboxes,
      answerMail: networks.mail.answer,
      arrivals: networks.arrivals,
      endings: networks.endings,
      normaliseNumber: (text: string) => deps.numbers.parse(text)?.digits ?? null,
      advance: (milliseconds: number) => advance(deps, milliseconds),
    });
  };
}

/** Starts the simulated networks for this process alone, and creates the demo account. */
export async function startSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const { config } = deps;
  const demo = await createDemo(deps, true);
  const { CHAT_APP_SECRET, CHAT_VERIFY_TOKEN } = settingsOf(config, chatSettings);
  const networks = await openNetworks(deps, {
    chatSecrets: { appSecret: CHAT_APP_SECRET, verifyToken: CHAT_VERIFY_TOKEN },
  });
  const { voice, chat, mail, phones, settings } = networks;
  return {
    carriers: carriersAt(networks.port, voice.uri),
    chat,
    phones,
    callNumber: voice.number,
    voice,
    mail,
    ...demo,
    controls: { ...settings, advance: (milliseconds) => advance(deps, milliseconds) },
    async api(app) {
      requireDemoAccount(app, { signIn: deps, demoAccountId: demo.demoAccountId });
      await apiOf(networks, deps)(app);
    },
    close: networks.close,
  };
}

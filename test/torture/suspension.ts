import { RESTING_MS } from '../../server/engine/messages/resting.ts';
import { allFinal, mustSend, phones, startNetwork } from '../faults/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { createDatabase } from '../support/database.ts';
import { databaseUrl, Installation, knownTo } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { random } from './random.ts';

/*
 * An account is suspended in the middle of a campaign that two processes send. After the messages already in the window,
 * nothing is sent until the operator lifts the suspension (everything is sent once) or cancels the work (the rest is
 * refunded).
 */

const WINDOW = 50;
const SIZE = 2_000;
const CREDITS = 1_000_000;
const PATIENCE_MS = 5 * 60_000;

export async function runSuspension(options: MachineOptions): Promise<MachineResult> {
  const chance = random(options.seed);
  const { sql, target } = await createDatabase();
  const network = await startNetwork();
  const installation = new Installation({
    DATABASE_URL: databaseUrl(target),
    SMPP_URL: network.url({ window: WINDOW, messagesPerSecond: 300 }),
  });
  const serve = { args: ['serve'], ready: false };
  const programs = [await installation.start(serve), await installation.start(serve)];
  const other = await installation.account(programs[0]!.url, 'other', CREDITS);
  await knownTo(programs[1]!.url, other);
  const failures: string[] = [];
  const tally = { lifted: 0, cancelled: 0 };
  let used = 0;
  const newPhones = (count: number) => {
    used += count;
    return phones(used - count, count);
  };
  const sentOf = (numbers: readonly string[]) => numbers.filter((number) => network.taken.has(number)).length;

  /** Sends a campaign of a new account, suspends the account in its middle, and lifts the suspension or cancels the work. */
  async function round(): Promise<void> {
    const name = `thief-${used}`;
    const account = await installation.account(programs[0]!.url, name, CREDITS);
    const campaign = newPhones(SIZE);
    await mustSend(programs[0]!.url, account, campaign);
    const middle = Math.floor(SIZE * (0.1 + chance() * 0.6));
    await waitFor('the campaign is in its middle', () => sentOf(campaign) >= middle, PATIENCE_MS);
    await installation.command('account', 'suspend', name);
    await waitFor(
      'its work rests',
      async () => {
        const [row] = await sql<{ awake: boolean }[]>`
          SELECT NOT EXISTS (SELECT FROM account_holds WHERE account_id = ${account.id})
            OR EXISTS (SELECT FROM dispatch_batches WHERE account_id = ${account.id} AND (due_at < ${RESTING_MS} OR lease_owner IS NOT NULL))
            AS awake`;
        return !row!.awake;
      },
      PATIENCE_MS,
    );
    const before = sentOf(campaign);
    const some = newPhones(100);
    await mustSend(programs[1]!.url, other, some);
    await waitFor('others are served', () => sentOf(some) === some.length, PATIENCE_MS);
    if (sentOf(campaign) > before)
      failures.push(`${sentOf(campaign) - before} messages of a suspended account went out`);
    const isLifted = chance() < 0.5;
    if (isLifted) await installation.command('account', 'suspend', name, '--lift');
    // Same effect as POST /v1/operator/accounts/{id}/held/cancel.
    else await sql`UPDATE account_holds SET cancel_at = ${Date.now()} WHERE account_id = ${account.id}`;
    tally[isLifted ? 'lifted' : 'cancelled']++;
    await allFinal(sql, PATIENCE_MS);
    const sent = sentOf(campaign);
    if (sent !== (isLifted ? SIZE : before))
      failures.push(`${sent} of ${SIZE} were sent, ${before} before the suspension`);
    const [wallet] = await sql<{ spent: number }[]>`
      SELECT ${CREDITS} - balance::float AS spent FROM wallets WHERE account_id = ${account.id}`;
    if (wallet!.spent !== sent) failures.push(`paid for ${wallet!.spent}, ${sent} were sent`);
  }

  let rounds = 0;
  try {
    while (!options.isOver() && rounds < (options.goal ?? Number.POSITIVE_INFINITY)) {
      await round();
      options.progress?.(`${++rounds} suspensions`);
    }
    await assertBooksBalance(sql);
  } catch (error) {
    failures.push((error as Error).stack ?? String(error));
  }
  for (const program of programs) await program.kill();
  if (network.duplicates() > 0) failures.push(`${network.duplicates()} copies`);
  return { rows: { suspensions: rounds, ...tally, messages: network.taken.size }, failures };
}

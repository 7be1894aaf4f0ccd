import { allFinal, startNetwork } from '../faults/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { createDatabase } from '../support/database.ts';
import { freePort, startBalancer } from '../support/haproxy.ts';
import { databaseUrl, Installation, knownTo, readiness } from '../support/process.ts';
import { waitFor } from '../support/wait-for.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { random } from './random.ts';
import { Senders } from './sending.ts';

/*
 * Two processes behind HAProxy whose carrier fails again and again under load. No request may be refused because of it, and
 * every message must be sent when the carrier is back.
 */

const WINDOW = 50;
const CREDITS = 100_000_000;
const PATIENCE_MS = 5 * 60_000;

export async function runCarrierOutage(options: MachineOptions): Promise<MachineResult> {
  const chance = random(options.seed);
  const { sql, target } = await createDatabase();
  const network = await startNetwork();
  const installation = new Installation({
    DATABASE_URL: databaseUrl(target),
    SMPP_URL: network.url({ window: WINDOW }),
    // A message may be on the wire in each outage.
    MAX_COPIES: '20',
    // Outages follow each other within a second, and each doubles the pause.
    COPY_PAUSE_SECONDS: '2',
  });
  const ports = [await freePort(), await freePort()];
  const programs = await Promise.all(
    ports.map((port) =>
      installation.start({ args: ['serve'], ready: false, environment: { PORT: String(port) } }),
    ),
  );
  const account = await installation.account(programs[0]!.url, 'outage', CREDITS);
  await knownTo(programs[1]!.url, account);
  const url = await startBalancer(ports);
  const senders = new Senders(() => [url], account);
  const failures: string[] = [];
  let outages = 0;
  const accept = async (messages: number) => {
    const until = senders.accepted + messages;
    await waitFor('requests are accepted', () => senders.accepted >= until, PATIENCE_MS);
  };
  const problems = async (purpose: 'accept' | 'dispatch') =>
    (await Promise.all(programs.map(({ url }) => readiness(url, purpose)))).flatMap((all) => all.problems);
  try {
    while (!options.isOver() && outages < (options.goal ?? Number.POSITIVE_INFINITY)) {
      await accept(Math.floor(chance() * 1_000));
      await network.smsc.close();
      await waitFor(
        'dispatch is not ready',
        async () => (await problems('dispatch')).length > 0,
        PATIENCE_MS,
      );
      await accept(100 + Math.floor(chance() * 1_000));
      const found = await problems('accept');
      if (found.length > 0) failures.push(`not ready to accept: ${found.join('; ')}`);
      await network.smsc.listen(network.port);
      await waitFor('dispatch is ready', async () => (await problems('dispatch')).length === 0, PATIENCE_MS);
      outages++;
      options.progress?.(`${outages} outages, ${senders.accepted} messages`);
    }
    await senders.stop();
    await allFinal(sql, PATIENCE_MS);
    await assertBooksBalance(sql);
  } catch (error) {
    failures.push((error as Error).stack ?? String(error));
  }
  const { accepted: messages, refused, strange } = senders;
  if (refused > 0) failures.push(`${refused} requests were refused`);
  if (network.taken.size !== messages)
    failures.push(`${messages} messages were accepted, and ${network.taken.size} were sent`);
  for (const program of programs) await program.kill();
  return {
    rows: { outages, messages, duplicates: network.duplicates() },
    failures: [...failures, ...strange],
  };
}

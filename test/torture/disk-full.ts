import { allFinal, startNetwork } from '../faults/support.ts';
import { assertBooksBalance } from '../support/books.ts';
import { Installation, readiness } from '../support/process.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { waitFor } from '../support/wait-for.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { random } from './random.ts';
import { Senders } from './sending.ts';

/*
 * Fills the disk of the embedded PostgreSQL again and again, under load. The process has to report it, accept messages again
 * when there is space, and lose no accepted message. PostgreSQL itself may crash on a full disk and is started again.
 */

const MEGABYTES = 600;
const WINDOW = 50;
const CREDITS = 100_000_000;
const PATIENCE_MS = 10 * 60_000;

export async function runDiskFull(options: MachineOptions): Promise<MachineResult> {
  const disk = mountSmallDisk(MEGABYTES);
  try {
    return await onDisk(disk, options);
  } finally {
    disk.remove();
  }
}

async function onDisk(disk: SmallDisk, options: MachineOptions): Promise<MachineResult> {
  const chance = random(options.seed);
  const network = await startNetwork();
  const settings = { SMPP_URL: network.url({ window: WINDOW }), MAX_COPIES: '20' };
  const installation = new Installation(settings, { parent: disk.folder });
  const program = await installation.start();
  const account = await installation.account(program.url, 'full', CREDITS);
  const senders = new Senders(() => [program.url], account);
  const failures: string[] = [];
  let rounds = 0;
  const ready = async () => (await readiness(program.url)).ready;
  try {
    while (!options.isOver() && rounds < (options.goal ?? Number.POSITIVE_INFINITY)) {
      const until = senders.accepted + 100 + Math.floor(chance() * 2_000);
      await waitFor('requests are accepted', () => senders.accepted >= until, PATIENCE_MS);
      disk.fill();
      await waitFor('the process is not ready', async () => !(await ready()), PATIENCE_MS);
      const refused = senders.refused + Math.floor(chance() * 200);
      await waitFor('requests are refused', () => senders.refused >= refused, PATIENCE_MS);
      disk.empty();
      await waitFor('the process is ready', ready, PATIENCE_MS);
      rounds++;
      options.progress?.(`full ${rounds} times, ${senders.accepted} messages`);
    }
    await senders.stop();
    const sql = await installation.sql();
    await allFinal(sql, PATIENCE_MS);
    await assertBooksBalance(sql);
  } catch (error) {
    failures.push((error as Error).stack ?? String(error));
  } finally {
    senders.abandon();
    disk.empty();
    // A process that does not end leaves its PostgreSQL on the disk.
    await program.stop();
  }
  if (network.taken.size !== senders.accepted)
    failures.push(`${senders.accepted} messages were accepted, and ${network.taken.size} were sent`);
  // A crash of PostgreSQL may repeat what was submitted and not stored.
  if (network.duplicates() > rounds * WINDOW) failures.push(`${network.duplicates()} duplicates`);
  const { accepted: messages, refused, strange } = senders;
  return {
    rows: { 'full disks': rounds, messages, refused, duplicates: network.duplicates() },
    failures: [...failures, ...strange],
  };
}

import { freePort } from '../../../bench/support/wait.ts';
import { heldMemory } from '../../support/held-memory.ts';
import { startTestService } from '../../support/service.ts';
import type { MachineOptions, MachineResult } from '../machine.ts';
import { random } from '../random.ts';
import { Cleanups } from './cleanups.ts';
import { httpTarget } from './http-target.ts';
import { csvTarget, decoderTarget } from './parser-targets.ts';
import { sipTarget } from './sip-target.ts';
import { smppTarget } from './smpp-target.ts';
import { smtpTarget } from './smtp-target.ts';
import type { Input, Target } from './target.ts';
import { webhookTarget } from './webhook-target.ts';

/*
 * Sends inputs mutated from a seed to every route, the carriers' protocols, the bounce server, webhooks and CSV. Each must
 * get its documented response in time, and valid inputs must still be accepted afterwards.
 */

/** An input that has no answer by then hangs. The machine may be busy. */
const DEADLINE_MS = 60_000;
/** Inputs of one target before it is the next one's turn, by what they cost. */
const turns: Readonly<Record<string, number>> = {
  http: 2_000,
  webhooks: 300,
  decoder: 1_000,
  csv: 300,
  smpp: 200,
  sip: 200,
  smtp: 100,
};
/** Maximum failures of a target to report; more give no new information. */
const MAX_FAILURES = 20;
/** Maximum growth of the process's memory between the first turn of all targets and the end, in MiB. */
const MAX_GROWTH = 150;

/** Starts the whole service in this process, with everything that accepts inputs. */
export async function openTargets(): Promise<{ targets: readonly Target[]; close(): Promise<void> }> {
  const cleanups = new Cleanups();
  const port = await freePort();
  const appSecret = 'app secret';
  const service = await startTestService({
    settings: {
      LOG_LEVEL: 'silent',
      RATE_LIMIT_ACCOUNT: '0',
      RATE_LIMIT_ADDRESS: '0',
      CHAT_APP_SECRET: appSecret,
      MAIL_BOUNCE_PORT: String(port),
      MAIL_BOUNCE_DOMAIN: 'bounces.example.com',
    },
  });
  const targets = [
    await httpTarget(service),
    webhookTarget(service.url, appSecret),
    decoderTarget,
    csvTarget,
    await smppTarget(cleanups),
    await sipTarget(cleanups),
    smtpTarget(port, 'b-x@bounces.example.com'),
  ];
  return {
    targets,
    async close() {
      for (const target of targets) await target.close();
      await cleanups.undo();
      await service.stop();
    },
  };
}

/** Brings one input; what was wrong, or undefined. */
export async function bring(target: Target, input: Input): Promise<string | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`no answer within ${DEADLINE_MS / 1_000} s`), DEADLINE_MS);
  try {
    return await Promise.race([target.bring(input), late]);
  } catch (error) {
    return String((error as Error).stack);
  } finally {
    clearTimeout(timer);
  }
}

export async function runFuzz({
  seed,
  goal = Infinity,
  isOver,
  progress,
}: MachineOptions): Promise<MachineResult> {
  const chance = random(seed);
  const { targets, close } = await openTargets();
  const counts = Object.fromEntries(targets.map(({ name }) => [name, 0]));
  const failures: string[] = [];
  const failed = new Map<string, number>();
  let hangs = 0;

  function note(target: Target, input: Input, wrong: string): void {
    if (wrong.startsWith('no answer')) hangs++;
    const count = (failed.get(target.name) ?? 0) + 1;
    failed.set(target.name, count);
    if (count > MAX_FAILURES) return;
    failures.push(`${wrong} ${JSON.stringify({ target: target.name, input })}`);
    progress?.(failures.at(-1)!);
  }

  /** A turn of one target. */
  async function turn(target: Target): Promise<void> {
    let left = turns[target.name]!;
    await Promise.all(
      Array.from({ length: target.atOnce }, async () => {
        while (left-- > 0 && !isOver()) {
          const input = target.next(chance);
          const wrong = await bring(target, input);
          counts[target.name]!++;
          if (wrong !== undefined) note(target, input, wrong);
        }
      }),
    );
    const wrong = await target.check?.();
    if (wrong !== undefined) note(target, {}, wrong);
  }

  let first = 0;
  let rounds = 0;
  try {
    do {
      for (const target of targets) await turn(target);
      rounds++;
      if (rounds === 1) first = heldMemory();
      if (rounds % 10 === 0)
        progress?.(`${sum(counts)} inputs, ${JSON.stringify(counts)}, ${failures.length} failures`);
    } while (!isOver() && sum(counts) < goal);
    const growth = heldMemory() - first;
    if (growth > MAX_GROWTH)
      failures.push(`the process holds ${growth.toFixed(0)} MiB more than after the first round`);
    return {
      rows: {
        inputs: sum(counts),
        ...counts,
        hangs,
        'undocumented answers': [...failed.values()].reduce((a, b) => a + b, 0) - hangs,
        'MiB more': Math.round(growth),
      },
      failures,
    };
  } finally {
    await close();
  }
}

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);

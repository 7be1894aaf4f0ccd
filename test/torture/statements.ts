import { startDispatching } from '../engine/dispatch/support.ts';
import { startReceiver } from '../engine/events/support.ts';
import { startNetwork } from '../faults/support.ts';
import { createDatabase } from '../support/database.ts';
import { DatabaseProxy } from '../support/database-proxy.ts';
import type { MachineOptions, MachineResult } from './machine.ts';
import { random, shuffled } from './random.ts';
import { type Fault, faults, statementTap } from './statement-faults.ts';
import { REFUSED_ENDING, REFUSED_STATUS, Scenario } from './statement-scenario.ts';

/*
 * Every statement fails once: every statement of a scenario meets a fault at its first execution, first with mixed faults,
 * then with one kind after the other. While time is left, each statement alone then meets each fault, at its first and at
 * later executions.
 */

/** Maximum number of executions of a repeated statement that are tried. */
const MAX_TIMES = 3;

export async function runStatements({ seed, isOver, progress }: MachineOptions): Promise<MachineResult> {
  const chance = random(seed);
  const database = await createDatabase();
  const network = await startNetwork({
    answerStatus: ({ to }) => (to.endsWith(REFUSED_ENDING) ? REFUSED_STATUS : undefined),
  });
  const receiver = await startReceiver();
  let judge: (key: string) => Fault | undefined = () => undefined;
  const { host, port } = database.target;
  const proxy = await DatabaseProxy.start(
    `${host}/.s.PGSQL.${port}`,
    statementTap(({ key }) => judge(key)),
  );
  const target = { ...database.target, host: '127.0.0.1', port: proxy.port };
  const service = await startDispatching(
    network,
    { window: 50 },
    { ...database, target },
    {
      WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
    },
  );
  const world = { service, network, receiver };
  const failures: string[] = [];
  let scenarios = 0;
  let failed = 0;

  /** One scenario under these faults. */
  async function scenario(name: string, judging: (key: string) => Fault | undefined): Promise<void> {
    scenarios++;
    const began = performance.now();
    const one = await Scenario.prepare(world, `account-${scenarios}`);
    judge = (key) => {
      const fault = judging(key);
      if (fault) failed++;
      return fault;
    };
    try {
      await one.run();
      await one.verify();
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message}`);
      progress?.(failures.at(-1)!);
    } finally {
      judge = () => undefined;
      progress?.(`${name}: ${Math.round(performance.now() - began)} ms`);
    }
  }

  try {
    const times = new Map<string, number>();
    await scenario('no fault', (key) => {
      times.set(key, (times.get(key) ?? 0) + 1);
      return undefined;
    });
    const mixed = new Set<string>();
    await scenario('every statement once, each by another fault', (key) => {
      if (mixed.has(key)) return undefined;
      mixed.add(key);
      return faults[Math.floor(chance() * faults.length)];
    });
    for (const fault of shuffled(faults, chance)) {
      if (isOver()) break;
      const met = new Set<string>();
      await scenario(`every statement once: ${fault}`, (key) => {
        times.set(key, Math.max(times.get(key) ?? 0, 1));
        if (met.has(key)) return undefined;
        met.add(key);
        return fault;
      });
    }
    const alone = [...times].flatMap(([key, count]) =>
      faults.flatMap((fault) =>
        Array.from({ length: Math.min(count, MAX_TIMES) }, (_, time) => ({ key, fault, time: time + 1 })),
      ),
    );
    for (const one of shuffled(alone, chance)) {
      if (isOver()) break;
      let seen = 0;
      await scenario(`${one.fault}, time ${one.time} of ${one.key}`, (key) =>
        key === one.key && ++seen === one.time ? one.fault : undefined,
      );
      if (scenarios % 50 === 0) progress?.(`${scenarios} scenarios, ${failures.length} failures`);
    }
    return {
      rows: { scenarios, statements: times.size, 'statements that failed': failed },
      failures,
    };
  } finally {
    await service.stop();
    await proxy.stop();
  }
}

import { readConfig } from '../kit/config.ts';
import { processCount } from './processes/count.ts';
import { placeInGroup } from './processes/group-process.ts';

/**
 * `carillon start`: one process, or a supervisor with PROCESSES of them. The supervisor loads nothing of the service, which is most of
 * the memory of a process; the processes check the settings.
 */
export async function start(): Promise<void> {
  const group = placeInGroup();
  if (!group) {
    const config = readConfig(process.env, []);
    const count = processCount(config);
    if (count > 1) {
      const { supervise } = await import('./processes/supervise.ts');
      await supervise(config, count);
      return;
    }
  }
  const { startProcess } = await import('./run.ts');
  await startProcess(group);
}

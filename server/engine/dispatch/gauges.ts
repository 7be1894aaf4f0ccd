import type { Gauge } from '../../run/gauges.ts';
import { laneNames } from '../messages/lanes.ts';
import { queueAge, queueMessages } from './metrics.ts';
import { queuesByLane } from './queues.ts';

/** Age and length of the queue of each priority lane. */
export const queueGauge: Gauge = {
  async measure({ sql, clock }) {
    const queues = await queuesByLane(sql, clock.now());
    for (const [lane, name] of laneNames.entries()) {
      const queue = queues.find((candidate) => candidate.lane === lane);
      queueAge.set({ lane: name }, (queue?.oldestMs ?? 0) / 1_000);
      queueMessages.set({ lane: name }, queue?.due ?? 0);
    }
  },
};

import { listConnectorStates } from '../../dispatch/connector-states.ts';
import type { Condition } from '../condition.ts';

/** A connector to a carrier is down, or no process holds it. */
export const connectorDown: Condition = {
  kind: 'connector-down',
  of: ['operator'],
  reads: [],
  thresholds: {},
  forMinutes: 2,
  async measure({ sql, network }, rules) {
    const enabled = new Set([...network.connectors(), ...network.trunks()].map(({ name }) => name));
    const states = await listConnectorStates(sql);
    const down = states.filter(
      // A business number that was removed is not held by anybody, too.
      ({ name, state }) => state === 'down' || (state === 'free' && enabled.has(name)),
    );
    return rules.flatMap(({ id }) =>
      down.map(({ name, state, problem }) => ({
        ruleId: id,
        subject: name,
        measured: {
          connector: name,
          state,
          ...(problem && { reason: problem.reason, detail: problem.detail }),
        },
      })),
    );
  },
};

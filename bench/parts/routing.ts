import { connect } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import { messageKinds } from '../../server/engine/carriers/route-conditions.ts';
import type { Compared } from '../support/compared.ts';
import { type ComparedServicesOptions, compareServices } from '../support/compared-services.ts';

/** The connector of SMPP_URL. */
const CONNECTOR = 'smpp';
const ROUTES = 200;

interface Rule {
  readonly conditions: object;
  readonly choice: object;
}

/** Each is tried for each message: the prefix fits, and the sender does not. */
const others = Array.from({ length: ROUTES - 1 }, (_, index): Rule => {
  const kinds = index % 2 === 0 ? { kinds: messageKinds } : {};
  return {
    conditions: { prefixes: ['972', ''], senders: [`Sender ${index}`], ...kinds },
    choice: { by: 'priority' },
  };
});
const last: Rule = { conditions: { prefixes: [''] }, choice: { by: 'priority' } };

/**
 * Measures the same messages with the only route of the configuration, with 200 routes of which the last one fits, and with 200 of
 * which the last one chooses by the delivered share (docs/routing.md).
 */
export function routing(options: ComparedServicesOptions): Promise<Compared[]> {
  const set = (rules: readonly Rule[]) => async (folder: string) => {
    const { target } = await attachEmbedded(folder);
    const sql = connect(target, { max: 1 });
    const connectors = JSON.stringify([{ connector: CONNECTOR, priority: 0, weight: 1 }]);
    for (const [place, { conditions, choice }] of rules.entries()) {
      await sql`
        INSERT INTO routing_rules (id, name, title, place, conditions, connectors, choice, leave, changed_at)
        VALUES (${place + 1}, ${`rule/${place + 1}`}, '', ${place}, ${JSON.stringify(conditions)}::jsonb,
          ${connectors}::jsonb, ${JSON.stringify(choice)}::jsonb, '{"codes": [], "silentSeconds": 3600}', ${Date.now()})`;
    }
    await sql.end();
  };
  return compareServices(options, 'routing', [
    { label: 'one route' },
    { label: '200 routes', prepare: set([...others, last]) },
    {
      label: '200 routes, by delivered share',
      prepare: set([...others, { ...last, choice: { by: 'cheapest', minDelivered: 0.9, explore: 0.05 } }]),
    },
  ]);
}

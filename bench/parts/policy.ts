import { connect } from '../../server/database/connection.ts';
import { attachEmbedded } from '../../server/database/embedded.ts';
import type { WeekHours } from '../../server/kit/week-hours.ts';
import { noPolicy, type SendingPolicy } from '../../server/modules/sending-policy/policy.ts';
import type { Compared } from '../support/compared.ts';
import { type ComparedServicesOptions, compareServices } from '../support/compared-services.ts';

/** All hours, so that everything is checked and nothing waits. */
const allDay = ['00:00-24:00'];
const hours: WeekHours = {
  sunday: allDay,
  monday: allDay,
  tuesday: allDay,
  wednesday: allDay,
  thursday: allDay,
  friday: allDay,
  saturday: allDay,
};
const withHours: SendingPolicy = { ...noPolicy, applies_to: 'all', zone: 'recipient', hours };

/**
 * Measures the same messages of an account without a sending policy, with hours, and with hours and a frequency cap
 * (docs/quiet-hours.md).
 */
export function policy(options: ComparedServicesOptions): Promise<Compared[]> {
  const set = (value: SendingPolicy) => async (folder: string) => {
    const { target } = await attachEmbedded(folder);
    const sql = connect(target, { max: 1 });
    await sql`
      INSERT INTO sending_policies (account_id, policy, updated_at)
      SELECT id, ${JSON.stringify(value)}::text::jsonb, ${Date.now()}::bigint FROM accounts`;
    await sql.end();
  };
  return compareServices(options, 'policy', [
    { label: 'no sending policy' },
    { label: 'hours of the recipient', prepare: set(withHours) },
    {
      label: 'hours and a frequency cap',
      prepare: set({ ...withHours, caps: [{ messages: 1_000, hours: 168, channel: null }] }),
    },
  ]);
}

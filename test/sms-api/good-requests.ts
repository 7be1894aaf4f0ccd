import { statusCodes } from '../../server/interfaces/sms-api/status-codes.ts';
import { newPhone } from '../support/phones.ts';
import type { Content } from '../support/service.ts';

const span = { from: '01/01/26 00:00', to: '02/01/26 00:00' };

/** One good request of every operation. */
export const good: Record<string, () => Content> = {
  sms: () => ({
    source: 'Shop',
    destinations: { phone: [{ $: { id: 'a' }, _: newPhone() }, newPhone()] },
    message: 'Hello',
    tag: '#',
    timing: '01/01/25 00:00',
    temp_bl: 3,
    includes_international: 1,
    campaign_name: 'Name',
    add_unsubscribe: 0,
    add_dynamic: 0,
  }),
  bulk: () => ({
    messages: { sms: [{ source: 'Shop', destinations: { phone: newPhone() }, message: 'Hello' }] },
    campaign_name: 'Name',
  }),
  dlr: () => ({ transactions: { external_id: ['a', 'b'] }, ...span }),
  dlrByDate: () => ({ transactions: { external_id: 'null' }, ...span }),
  incoming: () => ({ from: '01/11/26 00:00', to: '02/11/26 00:00' }),
  balance: () => ({}),
  getApiToken: () => ({ username: 'demo', action: 'current' }),
  cancel: () => ({ campaign_id: 12_345 }),
  blacklist: () => span,
  addNumBL: () => ({ phones: { phone: newPhone() } }),
  rmNumBL: () => ({ phones: { phone: newPhone() }, reason: 'asked' }),
};

/** Every request status that there is. */
export const documented = new Set<number>([0, 944, 946, ...Object.values(statusCodes)]);
/** Those of success. */
export const succeeded = new Set([0, 944, 946]);

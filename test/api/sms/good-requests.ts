import { statusCodes } from '../../../server/api/sms/status-codes.ts';
import { newPhone } from '../../support/phones.ts';
import type { Content } from '../../support/service.ts';

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
  ttsDlr: () => ({ shipment_id: '12345', ...span }),
  incoming: () => ({ from: '01/11/26 00:00', to: '02/11/26 00:00' }),
  balance: () => ({}),
  getApiToken: () => ({ username: 'demo', action: 'current' }),
  cancel: () => ({ campaign_id: 12_345 }),
  blacklist: () => span,
  addNumBL: () => ({ phones: { phone: newPhone() } }),
  rmNumBL: () => ({ phones: { phone: newPhone() }, reason: 'asked' }),
  newCL: () => ({
    cl: { name: 'Name', destinations: { destination: [{ phone: newPhone(), df1: 'Dana', df6: 'six' }] } },
  }),
  removeCL: () => ({ cl: { id: 12_345 } }),
  addNumCL: () => ({ cl: { id: 12_345, destinations: { destination: { phone: newPhone(), df2: 'x' } } } }),
  rmNumCL: () => ({ cl: { id: 12_345, destinations: { phone: [newPhone(), newPhone()] } } }),
  getCL: () => ({}),
  getCLbyID: () => ({ cl: { id: 12_345 } }),
  send_otp: () => ({
    phone: newPhone(),
    source: 'Shop',
    app_id: 2,
    max_tries: 4,
    valid_time: 10,
    text: 'Your code: [code]',
  }),
  validate_otp: () => ({ phone: newPhone(), app_id: 2, code: 123_456 }),
  addSub: () => ({
    userDetails: {
      name: 'Branch',
      username: `branch-${newPhone()}`,
      password: 'open sesame',
      source: 'Shop',
      amount: 1,
      otpPhone: newPhone(),
    },
  }),
  updateAmountSub: () => ({ userDetails: { username: 'nobody', amount: 5, amount_int: 2 } }),
  getBlanceSubs: () => ({}),
  verify_phone: () => ({ phone: [newPhone(), newPhone()] }),
  getVerifiedPhones: () => ({ is_subs: 1 }),
  push_url: () => ({ type: 'blacklist', url: `https://example.com/${newPhone()}` }),
};

/** What a good request gets where it is about something that there is not. */
export const answers: Record<string, number> = {
  cancel: 977,
  addNumBL: 946,
  rmNumBL: 944,
  getCLbyID: 988,
  validate_otp: 12,
  updateAmountSub: 503,
};

/** Every request status that there is. */
export const documented = new Set<number>([0, 944, 946, ...Object.values(statusCodes)]);
/** Those of success. */
export const succeeded = new Set([0, 944, 946]);

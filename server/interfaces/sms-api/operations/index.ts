import type { Operation } from '../operation.ts';
import { balance } from './balance.ts';
import { addNumBL, blacklist, rmNumBL } from './blacklist.ts';
import { bulk } from './bulk.ts';
import { cancel } from './cancel.ts';
import { dlr, dlrByDate } from './dlr.ts';
import { getApiToken } from './get-api-token.ts';
import { incoming } from './incoming.ts';
import { sms } from './sms.ts';

/** Every operation of `POST /api`. A new one is a file and a line here. */
export const operations: readonly Operation[] = [
  sms,
  bulk,
  dlr,
  dlrByDate,
  incoming,
  balance,
  getApiToken,
  cancel,
  blacklist,
  addNumBL,
  rmNumBL,
];

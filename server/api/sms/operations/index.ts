import type { Operation } from '../operation.ts';
import { balance } from './balance.ts';
import { addNumBL, blacklist, rmNumBL } from './blacklist.ts';
import { bulk } from './bulk.ts';
import { cancel } from './cancel.ts';
import { addNumCL, newCL, removeCL, rmNumCL } from './contact-lists.ts';
import { getCL, getCLbyID } from './contact-lists-read.ts';
import { dlr, dlrByDate } from './dlr.ts';
import { getApiToken } from './get-api-token.ts';
import { incoming } from './incoming.ts';
import { pushUrl } from './push-url.ts';
import { sendOtp } from './send-otp.ts';
import { sms } from './sms.ts';
import { addSub, getBlanceSubs, updateAmountSub } from './subscribers.ts';
import { ttsDlr } from './tts-dlr.ts';
import { validateOtp } from './validate-otp.ts';
import { getVerifiedPhones, verifyPhone } from './verify-phone.ts';

/** All operations of `POST /api`. A new one needs a file and a line here. */
export const operations: readonly Operation[] = [
  sms,
  bulk,
  dlr,
  dlrByDate,
  ttsDlr,
  incoming,
  balance,
  getApiToken,
  cancel,
  blacklist,
  addNumBL,
  rmNumBL,
  newCL,
  removeCL,
  addNumCL,
  rmNumCL,
  getCL,
  getCLbyID,
  sendOtp,
  validateOtp,
  addSub,
  updateAmountSub,
  getBlanceSubs,
  verifyPhone,
  getVerifiedPhones,
  pushUrl,
];

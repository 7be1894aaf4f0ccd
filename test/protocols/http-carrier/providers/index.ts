import { elks } from './46elks.ts';
import { africasTalking } from './africas-talking.ts';
import { bird } from './bird.ts';
import { carillon } from './carillon.ts';
import type { ProviderCase } from './case.ts';
import { clickatell } from './clickatell.ts';
import { infobip } from './infobip.ts';
import { plivo } from './plivo.ts';
import { sinch } from './sinch.ts';
import { telnyx } from './telnyx.ts';
import { twilio } from './twilio.ts';
import { twilioCalls } from './twilio-calls.ts';
import { vonage } from './vonage.ts';
import { vonageCalls } from './vonage-calls.ts';

/** The providers, by the name of their ready description. */
export const providerCases: Readonly<Record<string, ProviderCase>> = {
  ...{ twilio, vonage, infobip, sinch, bird, plivo, telnyx, clickatell, carillon },
  'africas-talking': africasTalking,
  '46elks': elks,
  'twilio-calls': twilioCalls,
  'vonage-calls': vonageCalls,
};

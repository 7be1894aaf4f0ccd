import { serve } from '../../api/v1/kit/route.ts';
import { defineModule, type RouteContext } from '../../run/define-module.ts';
import { CodeHours } from './code-hours.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { codesPart } from './personal-data.ts';
import { otpTables } from './tables.ts';
import { codeRoutes } from './v1/codes.ts';
import { otpRoutes } from './v1/otp.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly oneTimeCodes: OneTimeCodes;
    readonly codeHours: CodeHours;
  }
}

const COUNT_MS = 300_000;
/** Milliseconds from the start to the first count, because a start has other work. */
const FIRST_COUNT_MS = 60_000;

/** One-time codes. */
export const otp = defineModule({
  name: 'otp',
  tables: otpTables,
  needs: ['sql', 'ids', 'clock', 'log', 'secrets', 'config', 'events', 'prices', 'acceptor', 'codePolicy'],
  open: ({ config, codePolicy, ...needs }) => ({
    oneTimeCodes: new OneTimeCodes({ ...needs, policy: codePolicy, defaultText: config.OTP_TEXT }),
    codeHours: new CodeHours(needs),
  }),
  jobs: ({ codeHours }) => [
    { owner: 'codes by hour', everyMs: COUNT_MS, firstMs: FIRST_COUNT_MS, step: () => codeHours.run() },
  ],
  upkeep: ({ codeHours }) => codeHours.cleanUp(),
  personalData: { phase: 'people', part: () => codesPart },
  routes: [
    serve(otpRoutes),
    serve(codeRoutes, (context: RouteContext) => ({ ...context, sending: context })),
  ],
});

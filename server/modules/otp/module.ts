import { serve } from '../../api/v1/kit/route.ts';
import { defineModule, type RouteContext } from '../../run/define-module.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { codesPart } from './personal-data.ts';
import { otpTables } from './tables.ts';
import { codeRoutes } from './v1/codes.ts';
import { otpRoutes } from './v1/otp.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly oneTimeCodes: OneTimeCodes;
  }
}

/** One-time codes. */
export const otp = defineModule({
  name: 'otp',
  tables: otpTables,
  needs: ['sql', 'ids', 'clock', 'log', 'secrets', 'config', 'events', 'prices', 'acceptor', 'codePolicy'],
  open: ({ config, codePolicy, ...needs }) => ({
    oneTimeCodes: new OneTimeCodes({ ...needs, policy: codePolicy, defaultText: config.OTP_TEXT }),
  }),
  personalData: { phase: 'people', part: () => codesPart },
  routes: [
    serve(otpRoutes),
    serve(codeRoutes, (context: RouteContext) => ({ ...context, sending: context })),
  ],
});

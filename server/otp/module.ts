import { defineModule, type RouteContext } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { otpRoutes } from '../v1/messages/otp.ts';
import { codeRoutes } from '../v1/sending/codes.ts';
import { OneTimeCodes } from './one-time-codes.ts';
import { codesPart } from './personal-data.ts';

/** One-time codes. */
export const otp = defineModule({
  name: 'otp',
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

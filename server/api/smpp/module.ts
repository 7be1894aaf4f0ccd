import { ConfigError } from '../../kit/config.ts';
import { defineModule } from '../../run/define-module.ts';
import { serve } from '../v1/kit/route.ts';
import { openSmpp, type SmppModule } from './open.ts';
import { smppPart } from './personal-data.ts';
import { smppTables } from './tables.ts';
import { smppRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly smpp: SmppModule;
  }
}

const PARTS_MS = 5_000;
const SWEEP_MS = 10_000;

/** The SMPP server: programs of accounts bind to it, submit messages and get receipts. */
export const smppServer = defineModule({
  name: 'smpp-server',
  tables: smppTables,
  needs: [
    'sql',
    'ids',
    'clock',
    'log',
    'secrets',
    'config',
    'owner',
    'has',
    'accounts',
    'people',
    'events',
    'sendKeys',
    'acceptor',
    'canceller',
    'contactLists',
    'sources',
    'numbers',
    'links',
    'removalWord',
    'verifySources',
  ],
  open(needs) {
    const { config } = needs;
    const { SMPP_SERVER_TLS_PORT: port, SMPP_SERVER_CERTIFICATE: file, SMPP_SERVER_KEY: key } = config;
    if (port !== undefined && (file === undefined || key === undefined))
      throw new ConfigError('SMPP_SERVER_TLS_PORT needs SMPP_SERVER_CERTIFICATE and SMPP_SERVER_KEY');
    return { smpp: openSmpp(needs) };
  },
  stages: ({ smpp }) => [
    { name: 'SMPP server', start: () => smpp.start(), stop: (graceMs) => smpp.stop(graceMs), share: 0.5 },
  ],
  jobs: ({ smpp }) =>
    smpp.isOn
      ? [
          { owner: 'module smpp-server', everyMs: PARTS_MS, step: () => smpp.submitter.expireParts() },
          { owner: 'module smpp-server', everyMs: SWEEP_MS, step: () => smpp.messages.sweep() },
        ]
      : [],
  upkeep: ({ smpp }) => smpp.messages.cleanUp(),
  personalData: { phase: 'messages', part: () => smppPart },
  routes: [serve(smppRoutes)],
});

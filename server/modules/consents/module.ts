import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { Consents } from './consents.ts';
import { consentsPart } from './personal-data.ts';
import { StandingConsents } from './standing.ts';
import { consentsTables } from './tables.ts';
import { consentRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly consents: Consents;
    readonly standingConsents: StandingConsents;
  }
}

/** The consent log, and who has agreed to marketing messages. */
export const consents = defineModule({
  name: 'consents',
  tables: consentsTables,
  needs: ['sql', 'clock', 'secrets', 'channels'],
  open({ sql, clock, secrets, channels }) {
    const consents = new Consents({ sql, clock, secrets });
    return { consents, standingConsents: new StandingConsents({ sql, channels, consents }) };
  },
  personalData: { phase: 'people', part: ({ consents }) => consentsPart(consents) },
  routes: [serve(consentRoutes)],
});

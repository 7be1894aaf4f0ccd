import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { consentRoutes } from '../v1/consents/routes.ts';
import { Consents } from './consents.ts';
import { consentsPart } from './personal-data.ts';
import { StandingConsents } from './standing.ts';

/** The consent log, and who has agreed to marketing messages. */
export const consents = defineModule({
  name: 'consents',
  needs: ['sql', 'clock', 'secrets', 'channels'],
  open({ sql, clock, secrets, channels }) {
    const consents = new Consents({ sql, clock, secrets });
    return { consents, standingConsents: new StandingConsents({ sql, channels, consents }) };
  },
  personalData: { phase: 'people', part: ({ consents }) => consentsPart(consents) },
  routes: [serve(consentRoutes)],
});

import { serve } from '../../api/v1/kit/route.ts';
import { defineModule, type RouteContext } from '../../run/define-module.ts';
import { auditPart } from './personal-data.ts';
import { openProviders, type ProvidersModule } from './providers/open.ts';
import { peopleTables } from './tables.ts';
import { agentRoutes } from './v1/agents.ts';
import { auditRoutes } from './v1/audit.ts';
import { passkeyRoutes } from './v1/passkeys.ts';
import { peopleRoutes } from './v1/people.ts';
import { proofRoutes } from './v1/proof.ts';
import { providerSessionRoutes } from './v1/provider-session.ts';
import { peopleRulesRoutes } from './v1/rules.ts';
import { secondFactorRoutes } from './v1/second-factor.ts';
import { sessionRoutes } from './v1/session.ts';
import { signInProviderRoutes } from './v1/sign-in-providers.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly signInProviders: ProvidersModule;
  }
}

const MINUTE_MS = 60_000;

/** People of the console: sessions, sign-in, roles, and the audit log. */
export const people = defineModule({
  name: 'people',
  tables: peopleTables,
  needs: ['sql', 'ids', 'clock', 'log', 'secrets', 'people', 'pageBase', 'allowPrivate'],
  open: (needs) => ({ signInProviders: openProviders(needs) }),
  jobs: ({ people }) => [
    { owner: 'login throttle', everyMs: MINUTE_MS, step: () => people.throttle.cleanUp() },
  ],
  async upkeep({ people, signInProviders }) {
    await people.cleanUp();
    await signInProviders.cleanUp();
  },
  personalData: { phase: 'traces', part: () => auditPart },
  stages: ({ signInProviders }) => [{ name: 'sign-in providers', stop: () => signInProviders.close() }],
  routes: [
    serve(sessionRoutes),
    serve(secondFactorRoutes, ({ people }: RouteContext) => people),
    serve(passkeyRoutes),
    serve(proofRoutes),
    serve(providerSessionRoutes),
    serve(signInProviderRoutes),
    serve(peopleRoutes, ({ people: { people }, invitations }: RouteContext) => ({ people, invitations })),
    serve(agentRoutes, ({ people }: RouteContext) => people),
    serve(peopleRulesRoutes, ({ people }: RouteContext) => people),
    serve(auditRoutes, ({ people }: RouteContext) => people),
  ],
});

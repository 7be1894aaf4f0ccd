import { systemClock } from '../../../kit/clock.ts';
import type { Context } from '../../../kit/context.ts';
import type { PeopleModule } from '../open.ts';
import { SignInFlows } from './flows.ts';
import { ProviderClient } from './provider-client.ts';
import { ProviderSignIns } from './provider-sign-ins.ts';
import { SignInProviders } from './providers.ts';

interface ProvidersModuleDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log' | 'secrets'> {
  readonly people: PeopleModule;
  readonly pageBase: () => string;
  readonly allowPrivate: boolean;
}

/** Sign-in by OpenID Connect. */
export type ProvidersModule = ReturnType<typeof openProviders>;

/** Creates the module. */
export function openProviders({ people: module, ...deps }: ProvidersModuleDeps) {
  const client = new ProviderClient({ ...deps, now: () => systemClock.now() });
  const providers = new SignInProviders({ ...deps, client });
  const flows = new SignInFlows({ sql: deps.sql, clock: systemClock });
  return {
    providers,
    signIns: new ProviderSignIns({ ...deps, ...module, providers, client, flows }),
    /** Deletes expired rows. */
    cleanUp: () => flows.cleanUp(),
    close: () => client.close(),
  };
}

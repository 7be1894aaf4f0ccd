import { defineModule } from '../../run/define-module.ts';
import { jasminAccess } from './access.ts';
import { jasminReports } from './dlr.ts';
import { jasminApi } from './plugin.ts';

/** Jasmin's HTTP interface, if JASMIN_API is on. */
export const jasmin = defineModule({
  name: 'jasmin',
  needs: ['config', 'callbacks'],
  open({ config, callbacks }) {
    if (config.JASMIN_API) callbacks.addFormat('jasmin', jasminReports);
    return {};
  },
  access: jasminAccess,
  api: (services) =>
    services.config.JASMIN_API
      ? {
          register: async (server, options) =>
            void (await server.register(jasminApi, { services, ...options })),
        }
      : undefined,
});

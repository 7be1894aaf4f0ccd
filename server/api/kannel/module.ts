import { defineModule } from '../../run/define-module.ts';
import { kannelAccess } from './access.ts';
import { kannelReports } from './dlr-url.ts';
import { kannelApi } from './plugin.ts';

/** Kannel's HTTP interface, if KANNEL_API is on. */
export const kannel = defineModule({
  name: 'kannel',
  needs: ['config', 'callbacks'],
  open({ config, callbacks }) {
    if (config.KANNEL_API) callbacks.addFormat('kannel', kannelReports);
    return {};
  },
  access: kannelAccess,
  api: (services) =>
    services.config.KANNEL_API
      ? {
          register: async (server, options) =>
            void (await server.register(kannelApi, { services, ...options })),
        }
      : undefined,
});

import { defineModule } from '../../run/define-module.ts';
import { installationKey } from '../../secrets/installation-keys.ts';
import { mcpAccess } from './access.ts';

/** The MCP server, if MCP_API is on (docs/decisions/0047-mcp-server.md). */
export const mcp = defineModule({
  name: 'mcp',
  needs: [],
  access: mcpAccess,
  api: ({ config, sql, secrets, clock, accessRules, pageBase }) =>
    config.MCP_API
      ? {
          register: async (server, options) => {
            // The SDK takes 12 MB of memory and 0.1 s, so only a service that uses it loads it.
            const { mcpApi } = await import('./plugin.ts');
            const confirmationKey = await installationKey(sql, secrets, 'mcp-confirmations');
            await server.register(mcpApi, { ...options, accessRules, clock, confirmationKey, pageBase });
          },
        }
      : undefined,
});

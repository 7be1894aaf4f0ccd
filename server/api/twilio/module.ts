import type { AuthoredWork } from '../../modules/authors/authors.ts';
import { defineModule } from '../../run/define-module.ts';
import { twilioAccess } from './access.ts';
import { READER, recordRequests } from './incoming.ts';
import { TwilioNumbers } from './numbers.ts';
import { numbersApi } from './numbers-plugin.ts';
import { twilioApi } from './plugin.ts';
import { Replies } from './replies.ts';
import { twilioReports } from './status-callback.ts';
import { twilioTables } from './tables.ts';
import { verifyApi } from './verify-plugin.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly twilioNumbers: TwilioNumbers;
  }
}

/** Twilio's resources Messages and IncomingPhoneNumbers, and Verify, if TWILIO_API is on. */
export const twilio = defineModule({
  name: 'twilio',
  tables: twilioTables,
  needs: [
    'config',
    'callbacks',
    'sql',
    'clock',
    'secrets',
    'log',
    'events',
    'accounts',
    'acceptor',
    'hourlyStatistics',
    'numbers',
    'sendKeys',
    'contactLists',
    'sources',
    'links',
    'removalWord',
    'verifySources',
  ],
  open(context) {
    const { config, callbacks, events } = context;
    const twilioNumbers = new TwilioNumbers(context);
    if (config.TWILIO_API) {
      callbacks.addFormat('twilio', twilioReports);
      events.observe({
        types: ['sms.incoming'],
        wants: () => true,
        record: (tx, accountId, happened) =>
          recordRequests(tx, accountId, happened, { ...context, twilioNumbers }),
      });
      events.answers.add(READER, new Replies({ ...context, twilioNumbers, sending: context }));
    }
    return { twilioNumbers };
  },
  authored: ({ twilioNumbers }): readonly AuthoredWork[] => [twilioNumbers.authored],
  access: twilioAccess,
  api: (services) =>
    services.config.TWILIO_API
      ? {
          register: async (server, options) => {
            await server.register(twilioApi, { services, ...options });
            await server.register(numbersApi, { services, ...options });
            await server.register(verifyApi, { services, ...options });
          },
        }
      : undefined,
});

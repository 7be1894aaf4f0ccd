import { serve } from '../../api/v1/kit/route.ts';
import { defineModule, type RouteContext } from '../../run/define-module.ts';
import { testMessagesPart } from './personal-data.ts';
import { testMessagesTables } from './tables.ts';
import { TestMessages } from './test-messages.ts';
import { testMessageRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly testMessages: TestMessages;
  }
}

/** Test messages of operators over one connector. */
export const testMessages = defineModule({
  name: 'test-messages',
  tables: testMessagesTables,
  needs: ['sql', 'ids', 'clock', 'log', 'network', 'acceptor'],
  open: (needs) => ({ testMessages: new TestMessages(needs) }),
  upkeep: ({ testMessages }) => testMessages.cleanUp(),
  personalData: { phase: 'traces', part: () => testMessagesPart },
  routes: [serve(testMessageRoutes, (context: RouteContext) => ({ ...context, sending: context }))],
});

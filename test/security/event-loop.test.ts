import { hostileSuite } from './hostile/suite.ts';

/*
 * One request that freezes the service: hostile requests to every route of the access table, and hostile mails to the
 * listener for bounces, while the service watches its own event loop. The machine `event-loop` of `npm run torture` has the full form.
 */

await hostileSuite({ full: false });

import { hostileSuite } from '../security/hostile/suite.ts';

/*
 * The watch on the event loop in its full form: each text of each body in forty ways, every structure of JSON at every
 * route, files and mails as large as they may be. Takes many minutes.
 *
 *     node --test test/torture/event-loop.ts
 */

await hostileSuite({ full: true });

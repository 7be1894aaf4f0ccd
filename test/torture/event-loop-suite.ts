import { hostileSuite } from '../security/hostile/suite.ts';
import { suiteTime } from './event-loop.ts';

/* The tests of the machine `event-loop`, which runs this file. */

await hostileSuite({ full: true, isOver: () => suiteTime.isOver() });

import { join } from 'node:path';

/** The file of the real program. It starts the bundle if that was made from the present sources. */
export const programFile = join(import.meta.dirname, '../../server/carillon.js');

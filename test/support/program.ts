import { join } from 'node:path';

/** The file of the real program: in a run of many test files its bundle (program-bundle.ts), which loads faster. */
export const programFile =
  process.env.CARILLON_TEST_PROGRAM ?? join(import.meta.dirname, '../../server/main.ts');

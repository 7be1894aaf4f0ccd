import { buildConsole } from '../console/build.ts';
import { buildSite } from '../site/build.ts';
import { buildProgram } from './build-program.ts';

/*
 * Builds the bundle of the program (server/dist) and the pages that the service serves: the console (console/dist) and the
 * documentation (site/dist). With --if-needed (before `npm start`) the service starts without what cannot be built, because messages
 * must not wait for pages, and the sources run without a bundle.
 */

const parts = [
  { name: 'The program', build: buildProgram },
  { name: 'The console', build: buildConsole },
  { name: 'The documentation', build: buildSite },
];

// In parallel: threads build the console, while the main one has little to do.
await Promise.all(
  parts.map(async ({ name, build }) => {
    const began = performance.now();
    try {
      const seconds = () => ((performance.now() - began) / 1_000).toFixed(1);
      if (await build()) console.log(`${name} was built in ${seconds()} s.`);
    } catch (error) {
      console.error(`${name} could not be built: ${(error as Error).message}`);
      if (!process.argv.includes('--if-needed')) process.exitCode = 1;
    }
  }),
);

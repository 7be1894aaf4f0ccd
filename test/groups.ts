import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Files of a group at most: more save little, and the last group of a run would keep one processor busy alone. */
const MAX_FILES = 8;

/** Folders and files that measure, or change, what belongs to the whole process. */
const alone =
  /^test\/(?:browser|commands|conformance|console|faults|observability|torture|security\/(?:event-loop|command-audit|lost-key|secret-texts))\b/;
/** What starts the real program waits for it and for leases of half a minute, mostly. */
const startsPrograms = /new Installation\(/;
/** What takes longest begins first, so that nothing long is left for the end; what kills programs not beside browsers. */
const longest = [
  'browser/pages-english',
  'browser/pages-hebrew',
  'security/event-loop',
  'chat/platform-faults',
  'mailing/killed',
  'dispatch/two-processes',
  'torture/statements',
  'security/sandbox-credentials',
  'browser/sign-in',
  'chat/dispatch-faults',
  'faults/owners',
].map((name) => `test/${name}.test.ts`);

/**
 * Test files that run in one process, one after the other (support/file-group.ts): neighbours of one folder. The longest
 * come first, then the others that have a process of their own.
 */
export function groupFiles(files: readonly string[]): string[][] {
  const hasOwnProcess = (file: string) => alone.test(file) || startsPrograms.test(readFileSync(file, 'utf8'));
  const { own = [], shared = [] } = Object.groupBy(files, (file) => (hasOwnProcess(file) ? 'own' : 'shared'));
  const placeOf = (file: string) => (longest.includes(file) ? longest.indexOf(file) : longest.length);
  const groups = own.toSorted((one, other) => placeOf(one) - placeOf(other)).map((file) => [file]);
  for (const neighbours of Map.groupBy(shared, dirname).values()) {
    const count = Math.ceil(neighbours.length / MAX_FILES);
    for (let index = 0; index < count; index++) {
      groups.push(neighbours.filter((_, at) => at % count === index));
    }
  }
  return groups;
}

import { textModes } from '../../../server/secrets/text-storage.ts';
import { startPersons } from './support.ts';
import { testTextMode } from './text-mode.ts';

/* Exports and erasures where texts are not stored in plain; data-subjects.test.ts has those in plain. */

const persons = await startPersons();
for (const mode of textModes) if (mode !== 'plain') testTextMode(persons, mode);

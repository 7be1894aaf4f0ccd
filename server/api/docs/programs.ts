import { php } from './php.ts';
import type { Place } from './place.ts';
import { python } from './python.ts';
import { typescript } from './typescript.ts';

/** A program that sends the example of an operation. */
export interface Program {
  /** CSS class of its language. */
  readonly form: string;
  /** The name of its language. */
  readonly name: string;
  /** Contains `ADDRESS` in place of the address of the service. */
  readonly text: string;
}

/** Languages of programs, in the order of the page. */
export const languages = [
  { form: 'php', name: 'PHP', write: php },
  { form: 'python', name: 'Python', write: python },
  { form: 'typescript', name: 'TypeScript', write: typescript },
] as const;

/**
 * Returns the programs of an operation, one in each language; none for an operation that no token may call.
 */
export function programs(place: Place): Program[] {
  return languages.flatMap(({ form, name, write }) => {
    const text = write(place);
    return text === undefined ? [] : [{ form, name, text }];
  });
}

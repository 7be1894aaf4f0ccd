import { php } from './php.ts';
import type { Place } from './place.ts';
import { python } from './python.ts';
import { typescript } from './typescript.ts';

/** A program that sends the example of an operation. */
export interface Program {
  /** The class of its language on the page. */
  readonly form: string;
  /** The name of its language. */
  readonly name: string;
  /** `ADDRESS` in it stands for the address of the service. */
  readonly text: string;
}

/** Languages of programs, in the order in which the page shows them. */
export const languages = [
  { form: 'php', name: 'PHP', write: php },
  { form: 'python', name: 'Python', write: python },
  { form: 'typescript', name: 'TypeScript', write: typescript },
] as const;

/** The programs of an operation, one in each language; none for an operation that no token may call. */
export function programs(place: Place): Program[] {
  return languages.flatMap(({ form, name, write }) => {
    const text = write(place);
    return text === undefined ? [] : [{ form, name, text }];
  });
}

import type { Form } from '../../server/interfaces/sms-api/wire/wire-error.ts';

const forms: readonly Form[] = ['xml', 'json'];

/** What shows a row: a test by its title, or the same test in each of the forms. */
export interface Evidence {
  /** Below test/, without `.test.ts`. */
  readonly file: string;
  readonly title: string;
  /** The names of each test that it stands for, those of the suites around it first. */
  readonly tests: readonly (readonly string[])[];
  readonly bothForms: boolean;
}

/** One thing that the interface, or what closes its gaps, asks of the service. */
export interface Row {
  /** Unique in its chapter. Of a status: its number. */
  readonly id: string;
  readonly says: string;
  readonly shownBy: readonly Evidence[];
}

export interface Chapter {
  readonly title: string;
  /** Whether each of its rows has to be shown in XML and in JSON. */
  readonly bothForms: boolean;
  readonly rows: readonly Row[];
}

export const row = (id: string, says: string, ...shownBy: Evidence[]): Row => ({ id, says, shownBy });

/** Tests of a file by their titles; with `suite`, those within it. */
export const inFile =
  (file: string, ...suite: string[]) =>
  (title: string): Evidence => ({ file, title, tests: [[...suite, title]], bothForms: false });

/** Tests that a file has once a form: named `xml: …` and `json: …`, or alike in a suite for each form. */
export const inBothForms =
  (file: string, suite?: (form: Form) => string) =>
  (title: string): Evidence => ({
    file,
    title,
    tests: forms.map((form) => (suite ? [suite(form), title] : [`${form}: ${title}`])),
    bothForms: true,
  });

/** The two forms in which a request of `/api` may be written; the answer has the form of its request. */
export type Form = 'xml' | 'json';

/**
 * What is wrong with a body:
 * - `unparseable`: it is not one whole XML or JSON document that this service reads (request status 1)
 * - `root`: it does not name exactly one operation (request status 997)
 */
export type WireProblem = 'unparseable' | 'root';

/** A body that cannot become a request. The message is for the caller and never holds text of the body. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly kind: WireProblem;
  /** The form that the answer has to take: XML when the body began like XML, JSON otherwise. */
  readonly form: Form;

  constructor(kind: WireProblem, form: Form, message: string) {
    super(message);
    this.kind = kind;
    this.form = form;
  }
}

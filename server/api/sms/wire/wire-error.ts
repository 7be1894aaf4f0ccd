/** The two forms of a request of `/api`. The response has the form of its request. */
export type Form = 'xml' | 'json';

/**
 * Problem of a body:
 * - `unparseable`: not a complete XML or JSON document that this service supports (request status 1)
 * - `root`: does not name exactly one operation (request status 997)
 */
export type WireProblem = 'unparseable' | 'root';

/** A body that is not a request. The message is for the caller and never contains text of the body. */
export class WireError extends Error {
  override readonly name = 'WireError';
  readonly kind: WireProblem;
  /** The form of the response: XML if the body began like XML, JSON otherwise. */
  readonly form: Form;

  constructor(kind: WireProblem, form: Form, message: string) {
    super(message);
    this.kind = kind;
    this.form = form;
  }
}

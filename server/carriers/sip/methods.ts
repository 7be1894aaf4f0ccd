import type { ServerTransaction } from './server-transaction.ts';

const methods = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'UPDATE', 'INFO'];

/** Methods that are answered, for Allow. */
export const ALLOWED = methods.join(', ');

/** Whether a request's method is one that is answered. */
export const isAllowed = (method: string): boolean => methods.includes(method);

/** Refuses a request for its method, which is no fault of its dialog (RFC 3261, 8.2.1). */
export function refuseMethod(transaction: ServerTransaction): void {
  transaction.respond(405, { headers: [['Allow', ALLOWED]] });
}

import type { ServerTransaction } from './server-transaction.ts';

const methods = ['INVITE', 'ACK', 'BYE', 'CANCEL', 'OPTIONS', 'UPDATE', 'INFO'];

/** Supported methods, for Allow. */
export const ALLOWED = methods.join(', ');

/** Whether the method of a request is supported. */
export const isAllowed = (method: string): boolean => methods.includes(method);

/** Rejects a request because of its method, which does not affect its dialog (RFC 3261, 8.2.1). */
export function refuseMethod(transaction: ServerTransaction): void {
  transaction.respond(405, { headers: [['Allow', ALLOWED]] });
}

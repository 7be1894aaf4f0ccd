/** What the tests use of the npm package `smpp`, which has no types of its own. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server } from 'node:net';

  export interface Pdu {
    command: string;
    command_status: number;
    sequence_number: number;
    response(fields?: Record<string, unknown>): Pdu;
    // Fields have the names of the specification.
    [field: string]: unknown;
  }

  type Request = (fields: Record<string, unknown>, answered?: (pdu: Pdu) => void) => boolean;

  export interface Session extends EventEmitter {
    send(pdu: Pdu, answered?: (pdu: Pdu) => void): boolean;
    close(): void;
    destroy(): void;
    bind_transceiver: Request;
    bind_receiver: Request;
    bind_transmitter: Request;
    submit_sm: Request;
    deliver_sm: Request;
    enquire_link: Request;
    query_sm: Request;
    cancel_sm: Request;
    replace_sm: Request;
    data_sm: Request;
    submit_multi: Request;
    unbind: Request;
  }

  const smpp: {
    connect(options: Record<string, unknown>, connected?: () => void): Session;
    createServer(onSession: (session: Session) => void): Server;
  };
  export default smpp;
}

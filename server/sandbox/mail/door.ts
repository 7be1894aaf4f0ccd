import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Mailboxes } from './mailboxes.ts';

export interface MailboxesDoorOptions {
  readonly mailboxes: Pick<Mailboxes, 'list'>;
  /** Whether the request bears the demo account's token. */
  readonly authenticate: (request: FastifyRequest) => Promise<boolean>;
}

/**
 * `GET /v1/sandbox/mailboxes/:address` (decisions, section 5), a Fastify plugin: what arrived there, oldest first; 401
 * without the demo account's token.
 */
export function mailboxesDoor(app: FastifyInstance, options: MailboxesDoorOptions, done: () => void): void {
  app.get<{ Params: { address: string } }>('/v1/sandbox/mailboxes/:address', async (request, reply) => {
    if (!(await options.authenticate(request))) {
      return reply.code(401).send({ message: 'token is missing or not valid' });
    }
    return { mails: await options.mailboxes.list(request.params.address) };
  });
  done();
}

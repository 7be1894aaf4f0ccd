import type { FastifyInstance } from 'fastify';
import type { Mailboxes } from './mailboxes.ts';

interface MailboxesApiOptions {
  readonly mailboxes: Pick<Mailboxes, 'list'>;
}

/**
 * `GET /v1/sandbox/mailboxes/:address` (decisions, section 5), a Fastify plugin: what arrived there, oldest first.
 */
export function mailboxesApi(app: FastifyInstance, options: MailboxesApiOptions, done: () => void): void {
  app.get<{ Params: { address: string } }>('/v1/sandbox/mailboxes/:address', async (request) => ({
    mails: await options.mailboxes.list(request.params.address),
  }));
  done();
}

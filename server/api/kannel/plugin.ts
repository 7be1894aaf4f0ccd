import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AskedCallback } from '../../engine/callbacks/format.ts';
import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import type { Refusal, RefusalCode } from '../../kit/errors.ts';
import type { CoreContext } from '../../run/services.ts';
import {
  acceptWith,
  type Credentials,
  InterfaceApi,
  type InterfaceOptions,
  isSuspended,
  type RefusedAnswer,
  type SignedCall,
  type sendContextOf,
} from '../http-interfaces/interface-api.ts';
import { readShipment } from '../http-interfaces/shipment.ts';
import { fieldsOf, readSendSms, type SendSmsRequest } from './fields.ts';

const MINUTE_MS = 60_000;

/** The path of `sendsms`. */
export const SENDSMS = '/cgi-bin/sendsms';

type KannelServices = Pick<CoreContext, 'acceptor' | 'clock' | 'events' | 'validityMs'> &
  Parameters<typeof sendContextOf>[0];

interface KannelOptions extends InterfaceOptions {
  readonly services: KannelServices;
}

/** Kannel's HTTP interface for sending, a Fastify plugin (needs @fastify/rate-limit). */
export async function kannelApi(app: FastifyInstance, options: KannelOptions): Promise<void> {
  new KannelApi(app, options).routes(app);
}

const TRY_AGAIN = 'Temporal failure, try again later.';

/** Answers to refusals that Kannel has a text for. */
const answers: Partial<Record<RefusalCode, RefusedAnswer>> = {
  'signed-out': { http: 403, message: 'Authorization failed for sendsms' },
  'token-expired': { http: 403, message: 'Authorization failed for sendsms' },
  'wrong-account': { http: 403, message: 'Authorization failed for sendsms' },
  'not-allowed': { http: 403, message: 'Authorization failed for sendsms' },
  'all-blocked': { http: 403, message: 'Number(s) has/have been denied by white- and/or black-lists.' },
  'no-credit': { http: 402, message: 'Not enough credit, rejected' },
  'too-fast': { http: 503, message: TRY_AGAIN },
  'try-again': { http: 503, message: TRY_AGAIN },
  'key-in-progress': { http: 503, message: TRY_AGAIN },
};

class KannelApi extends InterfaceApi {
  readonly #services: KannelServices;

  constructor(app: FastifyInstance, options: KannelOptions) {
    super(app, 'kannel', options);
    this.#services = options.services;
  }

  routes(app: FastifyInstance): void {
    this.frame(app);
    for (const method of ['GET', 'POST'] as const) {
      app.route({
        method,
        url: SENDSMS,
        // A HEAD of a caller would send, too.
        exposeHeadRoute: false,
        config: { operation: 'sendsms', bytesInQuery: true },
        handler: (request, reply) => this.#send(request, reply),
      });
    }
  }

  protected refusalOf(refusal: Refusal): RefusedAnswer {
    const known = answers[isSuspended(refusal) ? 'not-allowed' : refusal.code];
    if (known) return known;
    const { path, problem } = refusal;
    const about = path === undefined ? problem : `${nameOf(path)}: ${problem}`;
    return { http: 400, message: `${about}, rejected` };
  }

  protected refuse({ message }: RefusedAnswer, _error: unknown, reply: FastifyReply): FastifyReply {
    return reply.type('text/html').send(message);
  }

  protected credentialsOf(request: FastifyRequest): Credentials {
    const fields = fieldsOf(request, this.typeOf(request));
    return { username: fields.text('username', 'user'), token: fields.text('password', 'pass') };
  }

  async #send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sms = readSendSms(fieldsOf(request, this.typeOf(request)));
    await this.once(request, reply, sms, async (use) =>
      acceptWith(this.#services.acceptor, await this.#shipmentOf(sms, this.callOf(request)), use),
    );
    return reply.code(202).type('text/html').send('0: Accepted for delivery');
  }

  #shipmentOf(sms: SendSmsRequest, call: SignedCall): Promise<ShipmentRequest> {
    const { from, text, to, deferred, validity, messageClass, dlt } = sms;
    const dueAt = deferred === undefined ? null : this.#services.clock.now() + deferred * MINUTE_MS;
    const validityMs = validity === undefined ? undefined : validity * MINUTE_MS;
    const options =
      messageClass === undefined && !dlt
        ? undefined
        : { ...(messageClass !== undefined && { messageClass }), ...(dlt && { dlt }) };
    return readShipment(this.#services, call, { from, text, to, dueAt, validityMs, options }, (source) =>
      this.#callbackOf(sms, source, call),
    );
  }

  async #callbackOf(
    { dlrMask, dlrUrl, account, metaData }: SendSmsRequest,
    from: string,
    call: SignedCall,
  ): Promise<AskedCallback | undefined> {
    if (dlrMask === 0 || dlrUrl === undefined) return undefined;
    const endpointId = await this.#services.events.callbackEndpoints.of(call.account.id, dlrUrl);
    const terms = { mask: String(dlrMask), from, user: call.account.username, account, metaData };
    const needsCarrierId = dlrUrl.includes('%F');
    return { format: 'kannel', endpointId, url: dlrUrl, terms, secret: null, needsCarrierId };
  }
}

/** Returns the name of a field in this interface, with the position of one of several numbers. */
function nameOf(path: string): string {
  const names: Readonly<Record<string, string>> = {
    source: 'from',
    message: 'text',
    phones: 'to',
    callback: 'dlr-url',
  };
  const [, field = path, position = ''] = /^(\w+)(\[\d+\])?$/.exec(path) ?? [];
  return `${names[field] ?? path}${position}`;
}

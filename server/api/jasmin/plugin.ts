import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AskedCallback } from '../../engine/callbacks/format.ts';
import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import type { Refusal, RefusalCode } from '../../kit/errors.ts';
import { readPhone } from '../../kit/numbers/read-phone.ts';
import { countParts } from '../../kit/text/segmentation.ts';
import { CREDIT } from '../../modules/accounts/money.ts';
import type { CoreContext } from '../../run/services.ts';
import { uuidOf } from '../http-interfaces/ids.ts';
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
import {
  fieldsOf,
  type JasminFields,
  type JasminSend,
  readContent,
  readJasminSend,
  readTo,
} from './fields.ts';

const MINUTE_MS = 60_000;

type JasminServices = Pick<CoreContext, 'acceptor' | 'clock' | 'events' | 'prices' | 'wallets'> &
  Parameters<typeof sendContextOf>[0];

interface JasminOptions extends InterfaceOptions {
  readonly services: JasminServices;
}

/** Jasmin's HTTP interface, a Fastify plugin (needs @fastify/rate-limit). */
export async function jasminApi(app: FastifyInstance, options: JasminOptions): Promise<void> {
  new JasminApi(app, options).routes(app);
}

const NOT_CHARGED = 'Cannot charge submit_sm, check RouterPB log file for details';
const NOT_SENT = 'Cannot send submit_sm, check SMPPClientManagerPB log file for details';

/** Answers to refusals that Jasmin has a text for. */
const answers: Partial<Record<RefusalCode, RefusedAnswer>> = {
  'signed-out': { http: 403, message: 'Authentication failure' },
  'token-expired': { http: 403, message: 'Authentication failure' },
  'wrong-account': { http: 403, message: 'Authentication failure' },
  'not-allowed': { http: 403, message: 'Authorization failed' },
  'all-blocked': { http: 412, message: 'No route found' },
  'no-credit': { http: 403, message: NOT_CHARGED },
  'too-fast': { http: 403, message: 'User throughput exceeded' },
  'try-again': { http: 503, message: NOT_SENT },
  'key-in-progress': { http: 503, message: NOT_SENT },
};

/** Names of fields of a send in this interface. */
const names: Readonly<Record<string, string>> = {
  source: 'from',
  message: 'content',
  phones: 'to',
  callback: 'dlr-url',
};

class JasminApi extends InterfaceApi {
  readonly #services: JasminServices;

  constructor(app: FastifyInstance, options: JasminOptions) {
    super(app, 'jasmin', options);
    this.#services = options.services;
  }

  routes(app: FastifyInstance): void {
    this.frame(app);
    const handlers = {
      send: (request: FastifyRequest, reply: FastifyReply) => this.#send(request, reply),
      rate: (request: FastifyRequest, reply: FastifyReply) => this.#rate(request, reply),
      balance: (request: FastifyRequest, reply: FastifyReply) => this.#balance(request, reply),
    };
    for (const [operation, handler] of Object.entries(handlers)) {
      for (const method of ['GET', 'POST'] as const) {
        app.route({
          method,
          url: `/jasmin/${operation}`,
          // A HEAD of a caller would send, too.
          exposeHeadRoute: false,
          config: { operation, bytesInQuery: true },
          handler,
        });
      }
    }
  }

  protected credentialsOf(request: FastifyRequest): Credentials {
    const fields = this.#fieldsOf(request);
    return { username: fields.text('username'), token: fields.text('password') };
  }

  protected refusalOf(refusal: Refusal): RefusedAnswer {
    const known = answers[isSuspended(refusal) ? 'not-allowed' : refusal.code];
    if (known) return known;
    const { path, problem, code, detail } = refusal;
    if (path === undefined || code === 'unreadable') return { http: 400, message: problem };
    const name = names[path] ?? path;
    const message =
      detail?.reason === 'missing'
        ? `Mandatory argument [${name}] is not found.`
        : `Argument [${name}] has an invalid value: ${problem}.`;
    return { http: 400, message };
  }

  protected refuse({ message }: RefusedAnswer, _error: unknown, reply: FastifyReply): FastifyReply {
    const { operation } = reply.request.routeOptions.config;
    if (operation === 'send') return reply.type('text/html').send(`Error "${message}"`);
    return reply.type('application/json').send(JSON.stringify(message));
  }

  #fieldsOf(request: FastifyRequest): JasminFields {
    return fieldsOf(request, this.typeOf(request));
  }

  async #send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sms = readJasminSend(this.#fieldsOf(request), this.#services.clock.now());
    // A relative time is another one in each repetition.
    const content = { ...sms, dueAt: null, sdt: this.#fieldsOf(request).text('sdt') };
    const { shipment_id } = await this.once(request, reply, content, async (use) =>
      acceptWith(this.#services.acceptor, await this.#shipmentOf(sms, this.callOf(request)), use),
    );
    return reply.type('text/html').send(`Success "${uuidOf(Number(shipment_id))}"`);
  }

  #shipmentOf(sms: JasminSend, call: SignedCall): Promise<ShipmentRequest> {
    const { from, text, to, dueAt, validity, options } = sms;
    const validityMs = validity === undefined ? undefined : validity * MINUTE_MS;
    return readShipment(this.#services, call, { from, text, to: [to], dueAt, validityMs, options }, () =>
      this.#callbackOf(sms, call),
    );
  }

  async #callbackOf({ reports }: JasminSend, { account }: SignedCall): Promise<AskedCallback | undefined> {
    if (!reports) return undefined;
    const { url, level, method } = reports;
    const endpointId = await this.#services.events.callbackEndpoints.of(account.id, url);
    return {
      format: 'jasmin',
      endpointId,
      url,
      terms: { level, method },
      secret: null,
      needsCarrierId: level !== '1',
    };
  }

  async #rate(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const fields = this.#fieldsOf(request);
    const { account } = this.callOf(request);
    const { digits } = readPhone(readTo(fields), 'phones', { services: this.#services }, true);
    const priceOf = await this.#services.prices.of(account.id, 'sms');
    const parts = countParts(readContent(fields) ?? '');
    return reply.send({ submit_sm_count: parts, unit_rate: priceOf(digits) / CREDIT });
  }

  async #balance(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const balance = await this.#services.wallets.balance(this.callOf(request).account.id);
    return reply.send({ balance: balance / CREDIT, sms_count: 'ND' });
  }
}

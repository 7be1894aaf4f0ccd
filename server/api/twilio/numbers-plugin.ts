import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { badField, Refusal } from '../../kit/errors.ts';
import { currentAuthor } from '../../kit/request-context.ts';
import type { CoreContext } from '../../run/services.ts';
import { Form, queryOf } from '../http-interfaces/form.ts';
import type { InterfaceOptions } from '../http-interfaces/interface-api.ts';
import { AccountApi } from './api.ts';
import { bodyOf } from './errors.ts';
import { readNumberSettings, readPage } from './fields.ts';
import type { IncomingNumber } from './numbers.ts';
import { numberOfSid, pageFields, showNumber, VERSION } from './resource.ts';

type NumbersServices = Pick<CoreContext, 'accounts' | 'events' | 'numbers' | 'people' | 'twilioNumbers'>;

interface NumbersOptions extends InterfaceOptions {
  readonly services: NumbersServices;
}

const NOT_FOR_SALE = {
  http: 400,
  code: 21422,
  message: 'PhoneNumber is not available: operators assign numbers',
};
const NOT_ALLOWED = { http: 405, code: 20004, message: 'Method not allowed: operators assign numbers' };

/** Twilio's IncomingPhoneNumbers resource, a Fastify plugin (needs @fastify/rate-limit). */
export async function numbersApi(app: FastifyInstance, options: NumbersOptions): Promise<void> {
  new NumbersApi(app, options).routes(app);
}

class NumbersApi extends AccountApi {
  readonly #services: NumbersServices;

  constructor(app: FastifyInstance, options: NumbersOptions) {
    super(app, options, options.services);
    this.#services = options.services;
  }

  routes(app: FastifyInstance): void {
    this.frame(app);
    const numbers = `/${VERSION}/Accounts/:account/IncomingPhoneNumbers`;
    const config = (operation: string) => ({ config: { operation } });
    app.get(`${numbers}.json`, config('listIncomingPhoneNumbers'), (request, reply) =>
      this.#list(request, reply),
    );
    app.post(`${numbers}.json`, config('createIncomingPhoneNumber'), (_request, reply) =>
      reply.code(NOT_FOR_SALE.http).send(bodyOf(NOT_FOR_SALE)),
    );
    app.get(`${numbers}/:number`, config('fetchIncomingPhoneNumber'), async (request, reply) =>
      reply.send(showNumber(this.callOf(request).account.id, await this.#one(request))),
    );
    app.post(`${numbers}/:number`, config('updateIncomingPhoneNumber'), (request, reply) =>
      this.#update(request, reply),
    );
    app.delete(`${numbers}/:number`, config('deleteIncomingPhoneNumber'), (_request, reply) =>
      reply.code(NOT_ALLOWED.http).send(bodyOf(NOT_ALLOWED)),
    );
  }

  async #list(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id: accountId } = this.callOf(request).account;
    const query = new Form(queryOf(request.originalUrl));
    const input = readPage(query);
    const { pageSize, token: after } = input;
    const part = this.#partOf(query.text('PhoneNumber') || undefined);
    const friendlyName = query.text('FriendlyName') || undefined;
    const filter = { part, friendlyName, after, limit: pageSize + 1 };
    const found = await this.#services.twilioNumbers.list(accountId, filter);
    const shown = found.slice(0, pageSize);
    const next = found.length > pageSize ? shown.at(-1)!.number : null;
    return reply.send({
      incoming_phone_numbers: shown.map((one) => showNumber(accountId, one)),
      ...pageFields(accountId, 'IncomingPhoneNumbers', input, { count: shown.length, next }),
    });
  }

  /** Returns the pattern of a filter: a number, or a part of one with `*` for any digit. Throws Refusal `bad-field`. */
  #partOf(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const part = text.replace(/^\+/, '');
    if (!/^[0-9*]{1,20}$/.test(part))
      throw badField('PhoneNumber', 'must be digits, with * for any digit', 'wrong-format');
    return this.#services.numbers.parse(text)?.digits ?? part.replaceAll('*', '_');
  }

  async #one(request: FastifyRequest): Promise<IncomingNumber> {
    const { number: sid } = request.params as { number: string };
    const { id } = this.callOf(request).account;
    const number = numberOfSid(sid.replace(/\.json$/, ''));
    const found = number === undefined ? undefined : await this.#services.twilioNumbers.one(id, number);
    if (!found) throw new Refusal('not-found', 'no such number');
    return found;
  }

  async #update(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { account, token } = this.callOf(request);
    const { twilioNumbers, people } = this.#services;
    const before = await this.#one(request);
    const settings = readNumberSettings(request, before);
    await this.#register(account.id, 'SmsUrl', settings.smsUrl);
    await this.#register(account.id, 'SmsFallbackUrl', settings.smsFallbackUrl);
    await twilioNumbers.change(account.id, before.number, settings, token);
    const after = await this.#one(request);
    await people.audit.writeAfter({
      accountId: account.id,
      tokenId: currentAuthor().tokenId ?? undefined,
      address: request.ip,
      action: `POST /${VERSION}/Accounts/:account/IncomingPhoneNumbers/:number`,
      kind: 'incoming-number',
      id: before.number,
      before: { url: hostOf(before.smsUrl), fallback: hostOf(before.smsFallbackUrl) },
      after: { url: hostOf(after.smsUrl), fallback: hostOf(after.smsFallbackUrl) },
      status: 200,
    });
    return reply.send(showNumber(account.id, after));
  }

  /** Registers the host of an address, so that messages are sent there. Throws Refusal `bad-field`. */
  async #register(accountId: number, field: string, url: string | null): Promise<void> {
    if (url === null) return;
    try {
      await this.#services.events.callbackEndpoints.of(accountId, url);
    } catch (error) {
      if (error instanceof Refusal) throw badField(field, error.problem, 'not-a-web-address');
      throw error;
    }
  }
}

/** Addresses often contain keys of their programs. */
const hostOf = (url: string | null) => url && new URL(url).host;

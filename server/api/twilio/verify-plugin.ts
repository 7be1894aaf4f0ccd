import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../kit/errors.ts';
import { timeOfId } from '../../kit/ids.ts';
import { readPhone } from '../../kit/numbers/read-phone.ts';
import { readCodeRequest } from '../../modules/otp/code-request.ts';
import type { CoreContext } from '../../run/services.ts';
import { idOfSid, sidOf } from '../http-interfaces/ids.ts';
import { type Credentials, type InterfaceOptions, sendContextOf } from '../http-interfaces/interface-api.ts';
import { basicOf, TwilioApi } from './api.ts';
import { type TwilioError, verifyErrorOf } from './errors.ts';
import { accountSid } from './resource.ts';
import {
  type EndedStatus,
  readCheck,
  readService,
  readStatus,
  readVerification,
  type VerifyService,
} from './verify-fields.ts';

/** Twilio's validity of a code, in minutes, and its number of attempts. */
const MINUTES = 10;
const TRIES = 5;

type VerifyServices = Pick<CoreContext, 'accounts' | 'clock' | 'oneTimeCodes' | 'tokens'> &
  Parameters<typeof sendContextOf>[0];

interface VerifyOptions extends InterfaceOptions {
  readonly services: VerifyServices;
}

/** Twilio's Verify, on our one-time codes: a Fastify plugin (needs @fastify/rate-limit). */
export async function verifyApi(app: FastifyInstance, options: VerifyOptions): Promise<void> {
  new VerifyApi(app, options).routes(app);
}

/** A verification to show. */
interface ShownVerification {
  readonly service: VerifyService;
  readonly accountId: number;
  /** Null if the request did not name it. */
  readonly sid: string | null;
  /** E.164 digits. */
  readonly phone: string;
  readonly status: 'pending' | EndedStatus;
  /** Milliseconds since the epoch; undefined if the request did not name the verification. */
  readonly createdAt?: number;
}

class VerifyApi extends TwilioApi {
  readonly #services: VerifyServices;

  constructor(app: FastifyInstance, options: VerifyOptions) {
    super(app, options);
    this.#services = options.services;
  }

  routes(app: FastifyInstance): void {
    this.frame(app);
    const service = '/v2/Services/:service';
    app.post(`${service}/Verifications`, { config: { operation: 'createVerification' } }, (request, reply) =>
      this.#create(request, reply),
    );
    app.post(
      `${service}/VerificationCheck`,
      { config: { operation: 'checkVerification' } },
      (request, reply) => this.#check(request, reply),
    );
    const one = `${service}/Verifications/:verification`;
    app.get(one, { config: { operation: 'fetchVerification' } }, (request, reply) =>
      this.#fetch(request, reply),
    );
    app.post(one, { config: { operation: 'updateVerification' } }, (request, reply) =>
      this.#update(request, reply),
    );
  }

  /** The user name is the sid of the account. With another one, like that of an API key, the owner of the token acts. */
  protected async credentialsOf(request: FastifyRequest): Promise<Credentials> {
    const { user = '', password: token } = basicOf(request);
    if (token === undefined) return { username: undefined, token };
    const { accounts, tokens } = this.#services;
    const id = user.startsWith('AC') ? idOfSid('AC', user) : (await tokens.find(token))?.accountId;
    const account = id === undefined ? undefined : await accounts.byId(id);
    return { username: account?.username, token };
  }

  protected errorOf(refusal: Refusal): TwilioError {
    return verifyErrorOf(refusal);
  }

  async #create(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const call = this.callOf(request);
    const service = serviceOf(request);
    const to = readVerification(request);
    const { id: accountId } = call.account;
    const idOf = (id: number) => ({ id: String(id) });
    const { appId, source } = service;
    const { id } = await this.once(request, reply, { to, appId, source }, async (use) => {
      const code = await readCodeRequest(sendContextOf(this.#services, call), {
        accountId,
        appId,
        source,
        phone: to,
        text: undefined,
        tries: TRIES,
        minutes: MINUTES,
        international: true,
      });
      return idOf(await this.#services.oneTimeCodes.send(code, use?.answering(idOf)));
    });
    const verification = { service, accountId, id: Number(id), phone: this.#digitsOf(to) };
    return reply.code(201).send(this.#resource({ ...verification, status: 'pending' }));
  }

  /** Shows a verification that waits for its code. Answers 404 for others, as Twilio does. */
  async #fetch(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { service, accountId, id } = this.#place(request);
    const { appId } = service;
    const phone = await this.#services.oneTimeCodes.pendingPhone({ accountId, appId }, id);
    if (phone === undefined) throw noVerification();
    return reply.send(this.#resource({ service, accountId, id, phone, status: 'pending' }));
  }

  async #update(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { service, accountId, id } = this.#place(request);
    const { appId } = service;
    const status = readStatus(request);
    const phone = await this.#services.oneTimeCodes.end({ accountId, appId }, id, status);
    if (phone === undefined) throw noVerification();
    return reply.send(this.#resource({ service, accountId, id, phone, status }));
  }

  /** Returns the verification that a path names. Throws Refusal `not-found`. */
  #place(request: FastifyRequest) {
    const { verification } = request.params as { verification: string };
    const service = serviceOf(request);
    const id = idOfSid('VE', verification);
    if (id === undefined) throw noVerification();
    return { service, accountId: this.callOf(request).account.id, id };
  }

  async #check(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { id: accountId } = this.callOf(request).account;
    const service = serviceOf(request);
    const { appId } = service;
    const { to, sid = null, code } = readCheck(request);
    const phone = sid === null ? this.#digitsOf(to!) : await this.#phoneOf({ accountId, appId }, sid);
    const isRight = await this.#services.oneTimeCodes.verify({ accountId, appId, phone }, code);
    const status = isRight ? 'approved' : 'pending';
    const shown = this.#shown({ service, accountId, sid, phone, status });
    return reply.send({ ...shown, sna_attempts_error_codes: [] });
  }

  #digitsOf(to: string): string {
    return readPhone(to, 'phone', { services: this.#services }, true).digits;
  }

  async #phoneOf(owner: { accountId: number; appId: number }, sid: string): Promise<string> {
    const id = idOfSid('VE', sid);
    const phone = id === undefined ? undefined : await this.#services.oneTimeCodes.phoneOf(owner, id);
    if (phone === undefined) throw noVerification();
    return phone;
  }

  /** Returns the resource of a stored verification. */
  #resource({ id, ...verification }: Omit<ShownVerification, 'sid' | 'createdAt'> & { readonly id: number }) {
    const sid = sidOf('VE', id);
    const createdAt = timeOfId(id);
    return {
      ...this.#shown({ ...verification, sid, createdAt }),
      lookup: {},
      send_code_attempts: [{ time: timeText(createdAt), channel: 'SMS', attempt_sid: null }],
      sna: null,
      url: `/v2/Services/${verification.service.sid}/Verifications/${sid}`,
    };
  }

  #shown({ service, accountId, sid, phone, status, createdAt }: ShownVerification) {
    const now = this.#services.clock.now();
    return {
      sid,
      service_sid: service.sid,
      account_sid: accountSid(accountId),
      to: `+${phone}`,
      channel: 'sms',
      status,
      valid: status === 'approved',
      amount: null,
      payee: null,
      date_created: timeText(createdAt ?? now),
      date_updated: timeText(now),
    };
  }
}

const noVerification = () => new Refusal('not-found', 'no such verification');

/** ISO 8601, in seconds. */
const timeText = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;

const serviceOf = (request: FastifyRequest): VerifyService =>
  readService((request.params as { service: string }).service);

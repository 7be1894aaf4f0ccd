import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../kit/errors.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import { idOfSid } from '../http-interfaces/ids.ts';
import {
  type Credentials,
  InterfaceApi,
  type InterfaceOptions,
  type RefusedAnswer,
} from '../http-interfaces/interface-api.ts';
import { bodyOf, errorOf, type TwilioError } from './errors.ts';

/** Returns the user name and password of a basic authentication (RFC 7617). */
export function basicOf({ headers }: FastifyRequest): { user?: string; password?: string } {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,400})$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  return user === undefined || password === undefined ? {} : { user, password };
}

/** Base of Twilio's resources: errors as JSON. */
export abstract class TwilioApi extends InterfaceApi {
  constructor(app: FastifyInstance, options: InterfaceOptions) {
    super(app, 'twilio', options);
  }

  /** Returns the error of a refusal by a rule. */
  protected abstract errorOf(refusal: Refusal): TwilioError;

  protected refusalOf(refusal: Refusal): RefusedAnswer {
    return this.errorOf(refusal);
  }

  protected refuse({ http, message }: RefusedAnswer, error: unknown, reply: FastifyReply): FastifyReply {
    const known: TwilioError =
      error instanceof Refusal ? this.errorOf(error) : { http, code: http >= 500 ? 20500 : 20001, message };
    if (http === 401) reply.header('www-authenticate', 'Basic realm="Twilio API"');
    return reply.type('application/json').send(bodyOf(known));
  }
}

/** Base of the resources of accounts: the path names the account, and any user name is accepted. */
export abstract class AccountApi extends TwilioApi {
  readonly #accounts: Pick<Accounts, 'byId'>;

  constructor(
    app: FastifyInstance,
    options: InterfaceOptions,
    services: { readonly accounts: Pick<Accounts, 'byId'> },
  ) {
    super(app, options);
    this.#accounts = services.accounts;
  }

  protected async credentialsOf(request: FastifyRequest): Promise<Credentials> {
    const { account: sid } = request.params as { account: string };
    const id = idOfSid('AC', sid);
    const account = id === undefined ? undefined : await this.#accounts.byId(id);
    return { username: account?.username, token: basicOf(request).password };
  }

  protected errorOf(refusal: Refusal): TwilioError {
    return errorOf(refusal);
  }
}

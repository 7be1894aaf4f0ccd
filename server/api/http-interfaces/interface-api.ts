import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Acceptor } from '../../engine/messages/accept.ts';
import type { ShipmentRequest } from '../../engine/messages/plan.ts';
import { checkMaySend, type SendContext } from '../../engine/messages/send-request.ts';
import { Refusal } from '../../kit/errors.ts';
import type { Logger } from '../../kit/observability/log.ts';
import type { Account } from '../../modules/accounts/accounts.ts';
import { sendKeyOf } from '../access/rules.ts';
import { authorize } from '../access.ts';
import { MAX_ANONYMOUS_BODY } from '../bodies/limits.ts';
import { BodyTimeout, BodyTooLarge, keepConnection, readBody } from '../bodies/read-body.ts';
import { limitAddressRate, limitRate, type RateLimit } from '../rate-limit.ts';
import { noteCaller, noteStatus } from '../request-notes.ts';
import type { ApiName } from '../requests/request-log.ts';
import type { SendKeys, SendKeyUse } from '../send-keys/send-keys.ts';
import { onceByKey } from '../send-keys.ts';
import { type SignInDeps, signIn } from '../sign-in.ts';
import { judgeFault, refusalWord } from '../token-api.ts';

export interface InterfaceOptions {
  readonly signIn: SignInDeps;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Requests per second; 0 means no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

/** The user name of an account, and an API token that may act for it. */
export interface Credentials {
  readonly username: string | undefined;
  readonly token: string | undefined;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation of a route of an interface of another gateway, for the request log. */
    readonly operation?: string;
  }
}

/** A signed-in request of an interface. */
export interface SignedCall {
  /** The account that the request acts for. */
  readonly account: Account;
  /** The account that owns the token: this account or its parent. */
  readonly caller: Account;
  /** The token itself. */
  readonly token: string;
}

/** A refusal as an interface answers it. */
export interface RefusedAnswer {
  readonly http: number;
  readonly message: string;
}

/** Whether an error is one of HTTP itself, which has a status. */
const isHttpError = (error: unknown): error is { statusCode: number } => {
  const { statusCode = 500 } = error as { statusCode?: number };
  return statusCode >= 400 && statusCode < 500;
};

/**
 * Base of the HTTP interfaces of other gateways (docs/decisions/0046-http-interfaces.md): bodies as bytes, sign-in by user
 * name and token, rate limits, access rules, the request log and send keys, as for every other API.
 */
export abstract class InterfaceApi {
  protected readonly log: Logger;
  readonly #name: ApiName;
  readonly #signInDeps: SignInDeps;
  readonly #sendKeys: SendKeys;
  readonly #calls = new WeakMap<FastifyRequest, SignedCall>();
  readonly #types = new WeakMap<FastifyRequest, string>();
  readonly #accountLimit: RateLimit;
  readonly #addressLimit: RateLimit;

  constructor(app: FastifyInstance, name: ApiName, options: InterfaceOptions) {
    this.#name = name;
    this.#signInDeps = options.signIn;
    this.#sendKeys = options.sendKeys;
    this.log = options.log;
    this.#accountLimit = limitRate(app, options.accountLimit, (request) =>
      String(this.#calls.get(request)?.account.id),
    );
    this.#addressLimit = limitAddressRate(app, options.addressLimit);
  }

  /** Returns the credentials of a request, once its body is read. Throws Refusal. */
  protected abstract credentialsOf(request: FastifyRequest): Credentials | Promise<Credentials>;
  /** Writes a refusal or a fault in the form of the interface. */
  protected abstract refuse(answer: RefusedAnswer, error: unknown, reply: FastifyReply): FastifyReply;
  /** Returns the answer to a refusal by a rule. */
  protected abstract refusalOf(refusal: Refusal): RefusedAnswer;

  /** Registers the hooks and parsers of its routes. */
  protected frame(app: FastifyInstance): void {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (request: FastifyRequest, payload: Readable) =>
      readBody(request, payload, MAX_ANONYMOUS_BODY),
    );
    app.addHook('onRequest', async (request, reply) => {
      this.#types.set(request, request.headers['content-type'] ?? '');
      request.headers['content-type'] = 'application/octet-stream';
      await this.#addressLimit(request, reply);
    });
    // After the body, which may have the credentials, and before the check that the caller was authorized.
    app.addHook('preValidation', (request, reply) => this.#signIn(request, reply));
    app.setErrorHandler((error, request, reply) => {
      keepConnection(error, reply);
      const answer = this.#judge(error, request);
      noteStatus(request, refusalWord(error), true);
      return this.refuse(answer, error, reply.code(answer.http));
    });
  }

  /** Returns the content type that the request had. */
  protected typeOf(request: FastifyRequest): string {
    return this.#types.get(request) ?? '';
  }

  /** Returns the caller of a request. */
  protected callOf(request: FastifyRequest): SignedCall {
    return this.#calls.get(request)!;
  }

  /**
   * Signs in a request by a user name and an API token, for the route's access rule. Throws Refusal `signed-out`,
   * `token-expired`, `wrong-account`, `not-allowed` and `too-fast`.
   */
  async #signIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { username, token } = await this.credentialsOf(request);
    if (!username || !token) throw new Refusal('signed-out', 'user name or token is missing');
    const content = { user: { username } };
    const signedIn = await signIn(this.#signInDeps, `Bearer ${token}`, content, request.ip);
    const { account, caller, scopes } = signedIn;
    authorize(request, { kind: 'token', scopes });
    request.context.author = { tokenId: signedIn.token?.id ?? null, personId: null };
    noteCaller(request, this.#name, caller.id, request.routeOptions.config.operation ?? 'unknown');
    this.#calls.set(request, { account, caller, token });
    await this.#accountLimit(request, reply);
  }

  /** Runs a send once per send key of the request. Throws Refusal `not-now` for a suspended account. */
  protected async once<Answer>(
    request: FastifyRequest,
    reply: FastifyReply,
    content: unknown,
    act: (use: SendKeyUse | undefined) => Promise<Answer>,
  ): Promise<Answer> {
    const call = this.callOf(request);
    checkMaySend(call);
    const { access, operation } = request.routeOptions.config;
    const keyed = {
      accountId: call.account.id,
      operation: `${this.#name} ${operation}`,
      content,
      takes: sendKeyOf(access),
    };
    const { answer } = await onceByKey(this.#sendKeys, request, reply, keyed, act);
    return answer;
  }

  #judge(error: unknown, request: FastifyRequest): RefusedAnswer {
    if (error instanceof Refusal) return this.refusalOf(error);
    if (error instanceof BodyTooLarge) return { http: 413, message: error.message };
    if (error instanceof BodyTimeout) return { http: 408, message: error.message };
    if (isHttpError(error)) return { http: error.statusCode, message: 'the request cannot be read' };
    const { kind, message } = judgeFault(error, request, this.log);
    return { http: kind === 'later' ? 503 : 500, message };
  }
}

/** Whether a send was refused because the account is suspended. Other refusals `not-now` are those of its sending policy. */
export const isSuspended = ({ code, detail }: Refusal): boolean =>
  code === 'not-now' && detail?.reason === 'account-suspended';

/** Returns the context of the checks of a send. */
export const sendContextOf = (
  services: SendContext['services'],
  { account, caller }: Pick<SignedCall, 'account' | 'caller'>,
): SendContext => ({ services, account, caller });

/** Accepts a shipment, with the send key of its request. Throws as `Acceptor.accept` does. */
export async function acceptWith(
  acceptor: Pick<Acceptor, 'accept'>,
  shipment: ShipmentRequest,
  use: SendKeyUse | undefined,
): Promise<{ readonly shipment_id: string }> {
  const accepted = (id: number) => ({ shipment_id: String(id) });
  return accepted(await acceptor.accept(use ? { ...shipment, sendKey: use.answering(accepted) } : shipment));
}

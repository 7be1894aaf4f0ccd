import type { FastifyReply, FastifyRequest } from 'fastify';
import { badField } from '../../../kit/errors.ts';
import type { Account } from '../../../modules/accounts/accounts.ts';
import type { Details } from '../../../modules/people/audit.ts';
import type { Session } from '../../../modules/people/sessions.ts';
import { sendKeyOf } from '../../access/rules.ts';
import type { SendKeys, SendKeyUse } from '../../send-keys/send-keys.ts';
import { type KeyedCall, onceByKey } from '../../send-keys.ts';
import { addDetails, type Note, noteOf } from '../audited.ts';
import type { Caller } from '../caller.ts';
import { bytesOf, fileOf } from './files.ts';

/** Options of `Call.once` that differ from the call's own account and body. */
type KeyedBy = Partial<Pick<KeyedCall, 'accountId' | 'content' | 'looksFirst' | 'hasStream'>>;

/** Shared by all calls. */
export interface CallContext {
  readonly sendKeys: SendKeys;
  /** The caller of a request; undefined for routes without sign-in. */
  callerOf(request: FastifyRequest): Caller | undefined;
  /** As `Call.isStillAllowed`. */
  isStillAllowed(request: FastifyRequest): Promise<boolean>;
}

/** The parts of a request, as parsed by the schemas of its route. */
export interface Input<Query, Body, Id> {
  readonly id: Id;
  readonly query: Query;
  readonly body: Body;
}

/** Returns the account that a caller acts for. Throws Refusal `bad-field` for an operator who names none. */
export function accountOf({ account }: Caller): Account {
  if (!account) throw badField('username', 'missing, an operator says for which account', 'missing');
  return account;
}

/** A call of a route: its caller, its account, and the parsed request. */
export class Call<Query, Body, Id> {
  /** `:id` of the path. */
  readonly id: Id;
  readonly query: Query;
  readonly body: Body;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly #caller: Caller | undefined;
  readonly #context: CallContext;

  constructor(
    input: Input<Query, Body, Id>,
    exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
    context: CallContext,
  ) {
    this.id = input.id;
    this.query = input.query;
    this.body = input.body;
    this.request = exchange.request;
    this.reply = exchange.reply;
    this.#caller = context.callerOf(exchange.request);
    this.#context = context;
  }

  /** The caller: a person with a session, or a token. Not for routes without sign-in. */
  get caller(): Caller {
    return this.#caller!;
  }

  /** The session of the calling person. Only for routes that no token may call. */
  get session(): Session {
    return this.caller.session!;
  }

  /**
   * The account that the call acts for: that of the token or person, or its subscriber in `?username=`. An operator
   * names any account there. Throws Refusal `bad-field` for an operator who names none.
   */
  get account(): Account {
    return accountOf(this.caller);
  }

  /** Id of `account`. */
  get accountId(): number {
    return this.account.id;
  }

  /** The body of a route with `file`, piece by piece. Throws BodyAborted if it breaks off. */
  get file(): AsyncGenerator<Buffer> {
    return fileOf(this.request);
  }

  /** The body of a route with `file` and `maxBytes`. */
  get bytes(): Buffer {
    return bytesOf(this.request);
  }

  /**
   * Whether the caller still has access: false after their session or token ended, their role changed, or a second
   * factor became required. For responses that continue after the request.
   */
  readonly isStillAllowed = (): Promise<boolean> => this.#context.isStillAllowed(this.request);

  /** Adds details to the audit entry of the request. */
  readonly audit = (details: Details): void => addDetails(this.request, details);

  /** Writes the audit entry in the transaction of the change. */
  get note(): Note {
    return noteOf(this.request);
  }

  /**
   * Runs the request once per send key, and returns the response. For every route whose access rule says that it sends
   * or pays. `act` stores its key in the transaction of its work.
   */
  readonly once = async <Answer extends object>(
    act: (use: SendKeyUse | undefined) => Promise<Answer>,
    { accountId = this.accountId, content = this.body, ...how }: KeyedBy = {},
  ): Promise<Answer> => {
    const { request, reply } = this;
    const { access, operationId } = request.routeOptions.config;
    const rule = access?.open === undefined ? access : undefined;
    const keyed = {
      ...how,
      accountId,
      operation: `v1 ${operationId}`,
      content: [request.params, content],
      isOperator: rule?.roles.includes('operator') ?? false,
      takes: sendKeyOf(access),
    };
    return (await onceByKey(this.#context.sendKeys, request, reply, keyed, act)).answer;
  };
}

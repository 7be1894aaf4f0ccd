import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendKeyOf } from '../../access/rules.ts';
import type { Account } from '../../accounts/accounts.ts';
import { Refusal } from '../../errors.ts';
import type { Logger } from '../../observability/log.ts';
import type { SendKeys, SendKeyUse } from '../../send-keys/send-keys.ts';
import { authorize } from '../access.ts';
import { MAX_ANONYMOUS_BODY } from '../bodies/limits.ts';
import { parseLong } from '../bodies/long-list.ts';
import { limitAddressRate, limitRate } from '../rate-limit.ts';
import { noteCaller } from '../request-notes.ts';
import { type KeyedCall, onceByKey } from '../send-keys.ts';
import { firstProblem } from '../sms-api/wire/fields.ts';
import { auditCaller, auditChanges } from './audited.ts';
import { type Caller, type CallerParts, checkCsrf, principalOf, signInCaller } from './caller.ts';
import { answerError, NotFound } from './errors.ts';

/**
 * The account that a request acts for: that of the token or person, or the subscriber of it that `?username=` names. An
 * operator names any account there. Throws Refusal `bad-field` when he names none.
 */
export type AccountOf = (request: FastifyRequest) => Account;

/** Who calls: a person with a session, or a token. Not for routes that anyone may call. */
export type CallerOf = (request: FastifyRequest) => Caller;

/**
 * Does what a request asks for, once for its send key, and gives the answer. For every route whose row in the access table
 * says that it sends or pays; `act` stores the key that it gets in the transaction of its work.
 */
export type Once = <Answer extends object>(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Pick<KeyedCall, 'accountId' | 'content' | 'looksFirst' | 'hasStream'>,
  act: (use: SendKeyUse | undefined) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Whether the caller of a request would still be let in: false after their session or token ended, their role changed or a
 * second factor is required of them. For answers that go on after the request.
 */
export type IsStillAllowed = (request: FastifyRequest) => Promise<boolean>;

/**
 * A part of the door: registers routes, with paths below /v1 (`/imports/:id`), each with what is said of it
 * (`described`), and a row in the access table (server/access/tables). Each request is signed in and authorized by that
 * row before its handler runs; what the handler throws is answered by `answerError`.
 */
export type V1Part = (
  app: FastifyInstance,
  accountOf: AccountOf,
  callerOf: CallerOf,
  once: Once,
  isStillAllowed: IsStillAllowed,
) => void;

export interface V1DoorOptions {
  readonly parts: readonly V1Part[];
  readonly signIn: CallerParts;
  readonly sendKeys: SendKeys;
  readonly log: Logger;
  /** Requests a second; 0 is no limit. */
  readonly accountLimit: number;
  readonly addressLimit: number;
}

/**
 * The door of our own JSON API (decisions, "Versioning"), a Fastify plugin (needs @fastify/rate-limit): bearer tokens
 * as in the SMS family or sessions of the console (caller.ts), `?username=` for a subscriber of the account, changes
 * written to the audit log (audited.ts), errors as in errors.ts.
 */
export async function v1Door(app: FastifyInstance, options: V1DoorOptions): Promise<void> {
  await app.register(
    async (v1) => {
      const callers = new WeakMap<FastifyRequest, Caller>();
      const addressLimit = limitAddressRate(v1, options.addressLimit);
      const accountLimit = limitRate(v1, options.accountLimit, (request) => {
        const { account, session } = callers.get(request)!;
        return account ? String(account.id) : `person ${session?.person.id}`;
      });

      auditChanges(v1, { audit: options.signIn.people.audit, log: options.log });

      v1.addHook('onRequest', async (request, reply) => {
        await addressLimit(request, reply);
        const { access, operationId } = request.routeOptions.config;
        if (access?.open !== undefined) {
          // Signing somebody in as somebody else is a change that a browser could be made to ask for, too.
          checkCsrf(request);
          return;
        }
        const caller = await signInCaller(options.signIn, request);
        callers.set(request, caller);
        auditCaller(request, caller);
        if (caller.tokenId !== undefined) {
          noteCaller(request, 'v1', caller.own!.id, operationId ?? 'unknown');
        }
        // A path that leads nowhere has no row.
        if (access) authorize(request, principalOf(caller));
        await accountLimit(request, reply);
      });
      v1.addHook('preSerialization', async (request, _reply, answer) => {
        const caller = callers.get(request);
        const { mask } = request.routeOptions.config;
        return mask ? mask(answer, caller ? principalOf(caller) : { kind: 'nobody' }) : answer;
      });
      v1.setErrorHandler((error, request, reply) => answerError(error, request, reply, options.log));
      v1.setNotFoundHandler(() => {
        throw new NotFound('there is nothing at this path, or not with this method');
      });
      // A route that nobody can read of is a mistake of ours, to be seen at once.
      v1.addHook('onRoute', (route) => {
        const { method, url, config } = route;
        if (config?.access?.open !== undefined) route.bodyLimit = MAX_ANONYMOUS_BODY;
        if (!config?.describe) throw new Error(`${String(method)} ${url} is not described (v1/about.ts)`);
      });
      const accountOf = (request: FastifyRequest) => {
        const { account } = callers.get(request)!;
        if (!account)
          throw new Refusal('bad-field', 'missing, an operator says for which account', 'username');
        return account;
      };
      const once: Once = async (request, reply, { content, ...call }, act) => {
        const { access, operationId } = request.routeOptions.config;
        const rule = access?.open === undefined ? access : undefined;
        const keyed = {
          ...call,
          operation: `v1 ${operationId}`,
          content: [request.params, content],
          isOperator: rule?.role === 'operator',
          takes: sendKeyOf(access),
        };
        return (await onceByKey(options.sendKeys, request, reply, keyed, act)).answer;
      };
      const isStillAllowed: IsStillAllowed = async (request) => {
        try {
          const caller = await signInCaller(options.signIn, request);
          authorize(request, principalOf(caller));
          return caller.account?.id === callers.get(request)?.account?.id;
        } catch (error) {
          if (error instanceof Refusal) return false;
          throw error;
        }
      };
      for (const part of options.parts) {
        // In a context of its own, so that what a part does to it (a parser of bodies, say) stays there.
        await v1.register(async (own) =>
          part(own, accountOf, (request) => callers.get(request)!, once, isStillAllowed),
        );
      }
    },
    { prefix: '/v1' },
  );
}

/** Reads an id in a path: digits. Throws NotFound for what is none. */
export function pathId(text: string, what: string): number {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
  if (!Number.isSafeInteger(id)) throw new NotFound(`no such ${what}`);
  return id;
}

/** How many rows a page has, by the query: `most` at most, and without it. */
export function pageLimit(most: number) {
  return z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1, 'must be 1 or more')
    .max(most, `must be ${most} or less`)
    .default(most);
}

/** Reads a query or body by its schema. Throws Refusal `bad-field` that names the first field with a problem. */
export function read<T>(schema: z.ZodType<T, unknown>, value: unknown): T {
  return parsed(schema.safeParse(value, STOP_EARLY));
}

/** As `read`, with long lists (bodies/long-list.ts) in slices. */
export async function readLong<T>(schema: z.ZodType<T, unknown>, value: unknown): Promise<T> {
  return parsed(await parseLong(schema, value));
}

// The first problem is told, and an array of a body of 1 MiB may have half a million.
const STOP_EARLY: z.core.ParseContext<z.core.$ZodIssue> & { abortEarly: boolean } = { abortEarly: true };

function parsed<T>(result: z.ZodSafeParseResult<T>): T {
  if (result.success) return result.data;
  const { field, problem } = firstProblem(result.error);
  throw new Refusal('bad-field', problem, field || undefined);
}

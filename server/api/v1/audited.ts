import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Queryable } from '../../database/connection.ts';
import type { Logger } from '../../kit/observability/log.ts';
import { type AuditLog, type Details, NO_ACCOUNT } from '../../modules/people/audit.ts';
import type { Person } from '../../modules/people/person.ts';
import type { Caller } from './caller.ts';

/*
 * The audit log records every request under /v1 whose access rule requires it, without any code in its route: method,
 * route, the id of its path, the caller, the address and the result, before the response is sent. A route adds details
 * by `addDetails`; a route with a transaction writes its entry there, by `noteOf`.
 */

/** Writes the entry of a change with its details, in the transaction of the change. */
export type Note = (tx: Queryable, details: Details) => Promise<void>;

interface State {
  accountId: number;
  person: Pick<Person, 'id' | 'username'> | undefined;
  tokenId: number | undefined;
  details: Details;
  written: boolean;
  /** The entry is written at the end of the response, with its result. */
  isExport: boolean;
  /** Resolves `ended`, once the entry that precedes the response is written. */
  end: () => void;
  write: (tx?: Queryable) => Promise<void>;
}

const states = new WeakMap<FastifyRequest, State>();

/** Milliseconds that a stopping server waits for requests whose clients have disconnected. */
const LEFT_MS = 5_000;

/** Adds details of a change to the audit entry of its request. */
export function addDetails(request: FastifyRequest, details: Details): void {
  const state = states.get(request);
  if (state) state.details = { ...state.details, ...details };
}

/**
 * Returns a function that writes the entry of a request in a transaction, so that the log has it if and only if the
 * change is committed.
 */
export function noteOf(request: FastifyRequest): Note {
  return async (tx, details) => {
    addDetails(request, details);
    const state = states.get(request);
    if (!state) return;
    await state.write(tx);
    state.written = true;
  };
}

/**
 * Returns a function that writes the entry of an export after its rows, with their number and whether they were
 * complete, in place of the entry before the response. If the entry cannot be written, the response breaks off.
 */
export function exportNoteOf(request: FastifyRequest): (rows: number, complete: boolean) => Promise<void> {
  const state = states.get(request);
  if (!state) throw new Error(`${request.routeOptions.url} is no export in the access table`);
  state.isExport = true;
  return async (rows, complete) => {
    addDetails(request, { after: { rows, complete } });
    await state.write();
  };
}

/** Names the person of a request that was not signed in when it arrived. */
export function identify(
  request: FastifyRequest,
  person: Pick<Person, 'id' | 'username' | 'accountId'>,
): void {
  const state = states.get(request);
  if (!state) return;
  state.person = person;
  state.accountId = person.accountId ?? NO_ACCOUNT;
}

/** Writes changes and exports of `app` to the audit log. */
export function auditChanges(
  app: FastifyInstance,
  deps: { readonly audit: AuditLog; readonly log: Logger },
): void {
  const open = new Set<Promise<void>>();
  // Fastify waits only for connections; a request of a disconnected client is still processed.
  app.addHook('onClose', async () => {
    await Promise.race([Promise.all(open), setTimeout(LEFT_MS, undefined, { ref: false })]);
  });

  app.addHook('onRequest', async (request, reply) => {
    const { method, url = '', config } = request.routeOptions;
    if (request.is404 || (config.access?.audit ?? 'none') === 'none') return;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    open.add(ended);
    void ended.then(() => open.delete(ended));
    const state: State = {
      accountId: NO_ACCOUNT,
      person: undefined,
      tokenId: undefined,
      details: objectOf(url, request.params),
      written: false,
      isExport: false,
      end,
      write(tx) {
        const entry = {
          ...state.details,
          accountId: state.accountId,
          personId: state.person?.id,
          username: state.person?.username,
          tokenId: state.tokenId,
          address: request.ip,
          action: `${String(method)} ${url}`,
          // In a transaction the response is still to come. The entry exists only if the change succeeds.
          status: tx ? 200 : reply.statusCode,
        };
        if (tx) return deps.audit.write(entry, tx);
        // A refused change is written without retries: its caller must not wait for a database that is unavailable.
        return entry.status < 400 ? deps.audit.writeAfter(entry) : deps.audit.write(entry);
      },
    };
    states.set(request, state);
  });

  app.addHook('onSend', async (request, reply) => {
    const state = states.get(request);
    if (!state) return;
    if (isToBeWritten(state, reply.statusCode)) {
      await state.write().catch((error: unknown) => {
        deps.log.error({ err: error, requestId: request.id }, 'audit log entry not written');
      });
    }
    state.end();
  });
}

/** Whether the entry of a request with this response status still has to be written. */
function isToBeWritten({ written, isExport, person, tokenId }: State, status: number): boolean {
  // A refusal after the entry was written has rolled it back with its transaction.
  if ((written || isExport) && status < 400) return false;
  // Requests of unknown callers, for example without a token, and rate-limited ones would only fill the log.
  return (person !== undefined || tokenId !== undefined) && status !== 429;
}

/** Records the caller, once the API has identified them. */
export function auditCaller(request: FastifyRequest, { account, session, tokenId }: Caller): void {
  const state = states.get(request);
  if (!state) return;
  state.accountId = account?.id ?? NO_ACCOUNT;
  state.person = session?.person;
  state.tokenId = tokenId;
}

/** Returns the object that the path names: for `/v1/people/:id/reset` the kind `people` with the id. */
function objectOf(url: string, params: unknown): Details {
  const deps = url.split('/').filter((part) => part !== '' && part !== 'v1');
  const at = deps.findIndex((part) => part.startsWith(':'));
  const kind = deps[at === -1 ? 0 : Math.max(0, at - 1)];
  const id = at === -1 ? undefined : (params as Record<string, string>)[deps[at]!.slice(1)];
  return { ...(kind !== undefined && { kind }), ...(id !== undefined && { id: id.slice(0, 100) }) };
}

import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Queryable } from '../../database/connection.ts';
import type { Logger } from '../../observability/log.ts';
import { type AuditLog, type Details, NO_ACCOUNT } from '../../people/audit.ts';
import type { Person } from '../../people/person.ts';
import type { Caller } from './caller.ts';

/*
 * Every request under /v1 whose row in the access table says so stands in the audit log, without its route having to do anything: method,
 * route, the id of its path, who, from where, and how it ended, written before the answer goes out. A route that knows
 * more says so by `addDetails`; one that has a transaction writes its entry there, by `noteOf`.
 */

/** Writes the entry of a change with what was changed, in the transaction of the change. */
export type Note = (tx: Queryable, details: Details) => Promise<void>;

interface State {
  accountId: number;
  person: Pick<Person, 'id' | 'username'> | undefined;
  tokenId: number | undefined;
  details: Details;
  written: boolean;
  /** The entry is written when the answer has ended, with what it was. */
  isExport: boolean;
  /** Resolves `ended`, once it is written what there is to write before the answer. */
  end: () => void;
  write: (tx?: Queryable) => Promise<void>;
}

const states = new WeakMap<FastifyRequest, State>();

/** How long the server waits, when it stops, for requests whose clients have left. */
const LEFT_MS = 5_000;

/** Says more of the change that a request makes, for its entry in the audit log. */
export function addDetails(request: FastifyRequest, details: Details): void {
  const state = states.get(request);
  if (state) state.details = { ...state.details, ...details };
}

/** What writes the entry of a request in a transaction; the log then has it if and only if the change was made. */
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
 * What writes the entry of a request that exports rows, with how many were sent and whether all were, instead of before
 * the answer. When the entry cannot be written the answer breaks off.
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

/** Says who a request of somebody is who was not signed in when it came. */
export function identify(
  request: FastifyRequest,
  person: Pick<Person, 'id' | 'username' | 'accountId'>,
): void {
  const state = states.get(request);
  if (!state) return;
  state.person = person;
  state.accountId = person.accountId ?? NO_ACCOUNT;
}

/** Writes the changes and exports that are asked of `app` to the log. */
export function auditChanges(
  app: FastifyInstance,
  deps: { readonly audit: AuditLog; readonly log: Logger },
): void {
  const open = new Set<Promise<void>>();
  // Fastify has waited for connections; a client that left has none, and its request is worked on all the same.
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
          // In a transaction the answer is yet to come: the entry exists only if the change succeeds.
          status: tx ? 200 : reply.statusCode,
        };
        if (tx) return deps.audit.write(entry, tx);
        // A refused change is logged once: its caller must not wait for a database that is unavailable.
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

/** Whether the entry of a request that is answered with `status` is still to be written. */
function isToBeWritten({ written, isExport, person, tokenId }: State, status: number): boolean {
  // A refusal after the entry was written has undone it with its transaction.
  if ((written || isExport) && status < 400) return false;
  // What nobody did, a stranger without a token say, and what was too fast, would fill the log with nothing.
  return (person !== undefined || tokenId !== undefined) && status !== 429;
}

/** Says who calls, as soon as that is known. */
export function auditCaller(request: FastifyRequest, { account, session, tokenId }: Caller): void {
  const state = states.get(request);
  if (!state) return;
  state.accountId = account?.id ?? NO_ACCOUNT;
  state.person = session?.person;
  state.tokenId = tokenId;
}

/** What the path names: of `/v1/people/:id/reset` the kind `people` with the id. */
function objectOf(url: string, params: unknown): Details {
  const deps = url.split('/').filter((part) => part !== '' && part !== 'v1');
  const at = deps.findIndex((part) => part.startsWith(':'));
  const kind = deps[at === -1 ? 0 : Math.max(0, at - 1)];
  const id = at === -1 ? undefined : (params as Record<string, string>)[deps[at]!.slice(1)];
  return { ...(kind !== undefined && { kind }), ...(id !== undefined && { id: id.slice(0, 100) }) };
}

import type { PersonRole } from './roles.ts';
import { type TokenScope, tokenScopes } from './scopes.ts';

/*
 * Access rules of routes. A rule is data: `decide.ts` evaluates it for each request, the tests read it for each route,
 * and the OpenAPI document describes it.
 */

/**
 * Protection of a route that needs no sign-in:
 * - `nothing`: it shows no data of any account
 * - `password`: people and programs sign in with it
 * - `link`: its path has an unguessable code, sent to one recipient or person
 * - `signature`: the chat platform signs its body
 * - `operation`: the operation that the body names has its own rule
 */
type OpenTo = 'nothing' | 'password' | 'link' | 'signature' | 'operation';

/**
 * Requests that the audit log records: `change` all of them, `export` those that read many rows (with the number of
 * rows), `none` no requests.
 */
type Audit = 'change' | 'export' | 'none';

/** A route that needs no sign-in. */
export interface OpenRule {
  readonly open: OpenTo;
  readonly audit: Audit;
}

/**
 * Marks a route or operation that sends or pays, and so accepts a send key (docs/send-keys.md). Also how its response
 * is stored: `sealed` is encrypted; `plain` is not, for responses that contain only ids and counts.
 */
export type TakesSendKey = 'plain' | 'sealed';

/**
 * Whether a person must have proved who they are (password, passkey, second factor or a sign-in at the provider) within
 * `PROOF_MS` (modules/people/sessions.ts) before they may call:
 * - `session`: the session has the time of the last proof, and `decide` refuses an older one
 * - `body`: the request itself contains the password; a person without one needs a proof in the session
 *
 * A borrowed session must not be able to create a way back in or to copy the data of an account. Tokens need no
 * proof: no person is present to answer, no scope reaches people, sign-in providers or tokens, and creating a token took a proof.
 */
export type Proof = 'session' | 'body' | 'none';

/**
 * Decisions of the author of a route. Tests require them for each route, and requests do not read them
 * (test/security/proof.test.ts, test/api/send-keys/access-rows.test.ts).
 */
interface Judgements {
  /** Reason why a change, or a read that is not a GET, requires no proof of identity. */
  readonly withoutProof?: string;
  /** A POST that sends no message and moves no credit, and so takes no send key. */
  readonly sendsNothing?: true;
}

/** A route that needs a sign-in. */
export interface SignedRule extends Judgements {
  readonly open?: never;
  /** An API token needs one of these scopes. Without any, no API token may call the route. */
  readonly scopes: readonly TokenScope[];
  /** A token of the mailing-list API may call. */
  readonly mailToken: boolean;
  /**
   * A person with a session needs one of these roles, or a role that includes one. Without any, no person may call the
   * route.
   */
  readonly roles: readonly PersonRole[];
  /** A person who must have a second factor may call the route before setting one up. */
  readonly withoutSecondFactor: boolean;
  /** A person who signed in by a provider may call the route before proving their second factor. */
  readonly beforeSecondFactor: boolean;
  /** Whether an account may call it for one of its subscribers, and an operator for any account. */
  readonly subscribers: boolean;
  /** The route exists only in the sandbox, for its demo account. */
  readonly sandbox: boolean;
  readonly audit: Audit;
  /** Whether a person must have proved recently who they are; see `Proof`. */
  readonly proof: Proof;
  /** undefined: the route neither sends nor pays. */
  readonly sendKey?: TakesSendKey;
}

export type AccessRule = OpenRule | SignedRule;

/** Rules by method and path (`GET /v1/messages/:id`), or by the name of an operation. */
export type AccessTable = Readonly<Record<string, AccessRule>>;

const signed: SignedRule = {
  scopes: [],
  mailToken: false,
  roles: [],
  withoutSecondFactor: false,
  beforeSecondFactor: false,
  subscribers: false,
  sandbox: false,
  audit: 'none',
  proof: 'none',
};

/** How a route or operation takes a send key; undefined for one that takes none. */
export const sendKeyOf = (rule: AccessRule | undefined): TakesSendKey | undefined =>
  rule?.open === undefined ? rule?.sendKey : undefined;

/** For routes that send messages or move credit. */
export const sends = (rule: SignedRule, sendKey: TakesSendKey = 'sealed'): SignedRule => ({
  ...rule,
  sendKey,
});

/** Adds a recent proof of identity to a rule, for routes that grant access or read much data. */
export const proven = (rule: SignedRule): SignedRule => ({ ...rule, proof: 'session' });

/** As `proven`, for routes whose body contains the password. */
export const provenByBody = (rule: SignedRule): SignedRule => ({ ...rule, proof: 'body' });

/** Reason of `withoutProof` for the daily work of an account, within the rights of its roles. */
export const DAILY_WORK = 'daily work';

/**
 * For changes, and reads that are not a GET, that require no proof of identity, with the reason. Routes that create power or
 * return much data need a reason of their own.
 */
export const withoutProof = (rule: SignedRule, reason: string = DAILY_WORK): SignedRule => ({
  ...rule,
  withoutProof: reason,
});

/** For a POST that sends no message and moves no credit. */
export const sendsNothing = (rule: SignedRule): SignedRule => ({ ...rule, sendsNothing: true });

/** For the daily work of an account that requires no proof of identity, sends no message and moves no credit. */
export const dailyWork = (rule: SignedRule): SignedRule => sendsNothing(withoutProof(rule));

/** A route that needs no sign-in. */
export const open = (to: OpenTo, audit: Audit = 'none'): OpenRule => ({ open: to, audit });

/** The roles that include no other: together they are everybody. */
const everybody: readonly PersonRole[] = ['agent', 'viewer'];

/**
 * Reads data of an account: people with this role (one of these roles) or one that includes it, and tokens with one of
 * these scopes.
 */
export const reads = (
  role: PersonRole | readonly PersonRole[],
  ...scopes: readonly TokenScope[]
): SignedRule => ({
  ...signed,
  roles: typeof role === 'string' ? [role] : role,
  scopes,
  subscribers: true,
});

/** As `reads`, for routes that change data. */
export const changes = (role: PersonRole, ...scopes: readonly TokenScope[]): SignedRule => ({
  ...reads(role, ...scopes),
  audit: 'change',
});

/** As `reads`, for routes that return many rows. They require a proof of identity. */
export const exports = (role: PersonRole, ...scopes: readonly TokenScope[]): SignedRule => ({
  ...reads(role, ...scopes),
  audit: 'export',
  proof: 'session',
});

/** Data of the calling person, in any role. */
export const ownReads: SignedRule = { ...signed, roles: everybody };
export const ownChanges: SignedRule = { ...ownReads, audit: 'change' };

/** As `ownReads` and `ownChanges`, for routes that a person needs before setting up a required second factor. */
export const setUpReads: SignedRule = { ...ownReads, withoutSecondFactor: true };
export const setUpChanges: SignedRule = { ...ownChanges, withoutSecondFactor: true };

/** As `setUpReads` and `setUpChanges`, for routes that a person needs before proving their second factor. */
export const proofReads: SignedRule = { ...setUpReads, beforeSecondFactor: true };
export const proofChanges: SignedRule = { ...setUpChanges, beforeSecondFactor: true };

/** Reads conversations, or data that people need to answer them. */
export const readsConversations: SignedRule = reads(everybody, 'read');

/** Answers conversations: replies, notes, assignments, labels. */
export const answers: SignedRule = changes('agent', 'send');

/** As `answers`, for requests that come with every click or keystroke (read marks, typing, estimates): not audited. */
export const answersUnaudited: SignedRule = reads('agent', 'send');

/** Routes for the operator's people. */
export const operatorReads: SignedRule = { ...signed, roles: ['operator'] };
export const operatorChanges: SignedRule = { ...operatorReads, audit: 'change' };

/** Routes for programs only: API tokens with one of these scopes. */
export const programs = (...scopes: readonly TokenScope[]): SignedRule => ({
  ...signed,
  scopes,
  subscribers: true,
});

/** Routes for programs only: API tokens with any scope. */
export const anyProgram: SignedRule = programs(...tokenScopes);

/** Routes for tokens of the mailing-list API. */
export const mailPrograms: SignedRule = { ...signed, mailToken: true };

/** Routes of the sandbox's demo account. Messages to simulated phones are read with the rights for message texts. */
export const sandboxReads: SignedRule = { ...reads('sender', 'read'), subscribers: false, sandbox: true };
export const sandboxChanges: SignedRule = {
  ...dailyWork(reads('sender', 'send')),
  subscribers: false,
  sandbox: true,
};

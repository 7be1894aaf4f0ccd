import type { PersonRole } from './roles.ts';
import { type TokenScope, tokenScopes } from './scopes.ts';

/*
 * Who may call a route. A rule is data: `decide.ts` reads it for each request, the tests read it for each route, and the
 * OpenAPI document says what it says.
 */

/**
 * What protects a route that nobody signs in for:
 * - `nothing`: it shows nothing of any account
 * - `password`: it is how people and programs sign in
 * - `link`: its path has an unguessable code, given to one recipient or person
 * - `signature`: its body is signed by the chat platform
 * - `operation`: the operation that the body names has a row of its own
 */
type OpenTo = 'nothing' | 'password' | 'link' | 'signature' | 'operation';

/**
 * Which requests the audit log has: `change` all, `export` those that read many rows at once, with how many; `none` no
 * request.
 */
type Audit = 'change' | 'export' | 'none';

/** A route that nobody signs in for. */
export interface OpenRule {
  readonly open: OpenTo;
  readonly audit: Audit;
}

/**
 * That a route or operation sends or pays, and so takes a send key (docs/send-keys.md), and how the answer of one is stored:
 * `sealed` encrypted, `plain` as it is, for answers that hold nothing but ids and counts.
 */
export type TakesSendKey = 'plain' | 'sealed';

/**
 * Whether a person must have proved who they are (password, passkey, second factor or a sign-in at the provider) within
 * `PROOF_MS` (people/sessions.ts) before they may call:
 * - `session`: the session has the time of the last proof, and `decide` refuses an older one
 * - `body`: the request itself contains the password; a person without one needs a proof in the session
 *
 * A borrowed session must not be able to create a way back in or to copy the data of an account. Tokens need no
 * proof: no person is present to answer, no scope reaches people, sign-in providers or tokens, and creating a token took a proof.
 */
export type Proof = 'session' | 'body' | 'none';

/** A route of those who are signed in. */
export interface SignedRule {
  readonly open?: never;
  /** An API token needs one of these scopes; without any no API token may call. */
  readonly scopes: readonly TokenScope[];
  /** A token of the mailing-list API may call. */
  readonly mailToken: boolean;
  /** A person with a session needs one of these roles, or one that includes it; without any no person may call. */
  readonly roles: readonly PersonRole[];
  /** A person of whom a second factor is demanded may call it before there is one. */
  readonly withoutSecondFactor: boolean;
  /** A person may call it who has a second factor and has not proven it yet, after a sign-in by a provider. */
  readonly beforeSecondFactor: boolean;
  /** Whether an account may call it for one of its subscribers, and an operator for any account. */
  readonly subscribers: boolean;
  /** It exists in the sandbox alone, for its demo account. */
  readonly sandbox: boolean;
  readonly audit: Audit;
  /** Whether a person must have proved recently who they are; see `Proof`. */
  readonly proof: Proof;
  /** undefined: it neither sends nor pays. */
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

/** What sends messages or moves credit. */
export const sends = (rule: SignedRule, sendKey: TakesSendKey = 'sealed'): SignedRule => ({
  ...rule,
  sendKey,
});

/** A rule that also requires a recent proof of identity: creates power, or reads much. */
export const proven = (rule: SignedRule): SignedRule => ({ ...rule, proof: 'session' });

/** As `proven`, for routes whose body contains the password. */
export const provenByBody = (rule: SignedRule): SignedRule => ({ ...rule, proof: 'body' });

/** Nobody has to sign in. */
export const open = (to: OpenTo, audit: Audit = 'none'): OpenRule => ({ open: to, audit });

/** The roles that include no other: together they are everybody. */
const everybody: readonly PersonRole[] = ['agent', 'viewer'];

/**
 * Reads something of an account: people with this role (one of these roles) or one that includes it, and tokens with one
 * of these scopes.
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

/** As `reads`, for what changes something. */
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

/** Of the person who calls, whatever the role. */
export const ownReads: SignedRule = { ...signed, roles: everybody };
export const ownChanges: SignedRule = { ...ownReads, audit: 'change' };

/** As `ownReads` and `ownChanges`, for what somebody needs who has to set up a second factor first. */
export const setUpReads: SignedRule = { ...ownReads, withoutSecondFactor: true };
export const setUpChanges: SignedRule = { ...ownChanges, withoutSecondFactor: true };

/** As those, for what somebody needs who has a second factor and is to prove it. */
export const proofReads: SignedRule = { ...setUpReads, beforeSecondFactor: true };
export const proofChanges: SignedRule = { ...setUpChanges, beforeSecondFactor: true };

/** Reads conversations, or what people need who answer them. */
export const readsConversations: SignedRule = reads(everybody, 'read');

/** Answers conversations: replies, notes, assignments, labels. */
export const answers: SignedRule = changes('agent', 'send');

/** As `answers`, for what comes with every click or keystroke (read up to here, is writing, estimates): not audited. */
export const answersUnaudited: SignedRule = reads('agent', 'send');

/** Of the operator's people. */
export const operatorReads: SignedRule = { ...signed, roles: ['operator'] };
export const operatorChanges: SignedRule = { ...operatorReads, audit: 'change' };

/** Of programs alone: API tokens with one of these scopes. */
export const programs = (...scopes: readonly TokenScope[]): SignedRule => ({
  ...signed,
  scopes,
  subscribers: true,
});

/** Of programs alone: API tokens, whatever their scopes. */
export const anyProgram: SignedRule = programs(...tokenScopes);

/** Of tokens of the mailing-list API. */
export const mailPrograms: SignedRule = { ...signed, mailToken: true };

/** Of the sandbox's demo account. What simulated phones received has the texts of messages. */
export const sandboxReads: SignedRule = { ...reads('sender', 'read'), subscribers: false, sandbox: true };
export const sandboxChanges: SignedRule = { ...reads('sender', 'send'), subscribers: false, sandbox: true };

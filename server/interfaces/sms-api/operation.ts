import type { z } from 'zod';
import type { TokenScope } from '../../access/scopes.ts';
import type { Account, Accounts } from '../../accounts/accounts.ts';
import type { Subscribers } from '../../accounts/subscribers.ts';
import type { Tokens } from '../../accounts/tokens.ts';
import type { Wallets } from '../../accounts/wallets.ts';
import type { Blacklist } from '../../audience/blacklist.ts';
import type { ContactLists } from '../../audience/contact-lists.ts';
import type { Sources } from '../../audience/sources.ts';
import type { Context } from '../../context.ts';
import type { Events } from '../../events/events.ts';
import type { Links } from '../../links/links.ts';
import type { Acceptor } from '../../messages/accept.ts';
import type { CallService } from '../../messages/call-request.ts';
import type { Canceller } from '../../messages/cancel.ts';
import type { PhoneVerifier } from '../../messages/phone-verifier.ts';
import type { NumberReader } from '../../numbers/numbers.ts';
import type { OneTimeCodes } from '../../otp/one-time-codes.ts';
import type { AuditLog } from '../../people/audit.ts';
import type { SendKeyUse } from '../../send-keys/send-keys.ts';
import type { Language } from '../../text/language.ts';
import type { OperationDocs } from './about.ts';
import type { StreamedAnswer } from './wire/encode-stream.ts';

/** What operations work with. */
export interface SmsServices extends Pick<Context, 'sql' | 'ids' | 'clock'> {
  readonly accounts: Accounts;
  readonly tokens: Tokens;
  readonly audit: Pick<AuditLog, 'write'>;
  /** For how many days a token of `getApiToken` is valid; 0: for good. */
  readonly apiTokenDays: number;
  readonly wallets: Wallets;
  readonly subscribers: Subscribers;
  readonly blacklist: Blacklist;
  readonly contactLists: ContactLists;
  readonly links: Links;
  readonly sources: Sources;
  readonly phoneVerifier: PhoneVerifier;
  readonly events: Events;
  readonly acceptor: Acceptor;
  readonly canceller: Canceller;
  readonly numbers: NumberReader;
  readonly oneTimeCodes: OneTimeCodes;
  /** The word to reply for removal, by language. */
  readonly removalWord: (language: Language) => string;
  /** Whether a source must be verified or approved. */
  readonly verifySources: boolean;
  readonly calls: Pick<CallService, 'problem'>;
}

/** One call of an operation, signed in. */
export interface Call {
  readonly services: SmsServices;
  /** The account that the call acts for. */
  readonly account: Account;
  /** The account whose token or password it came with: this one, or its parent. */
  readonly caller: Account;
  /** The token that it came with; undefined when it was a password. */
  readonly token:
    | {
        readonly id: number;
        readonly value: string;
        readonly expiresAt: number | null;
        readonly scopes: readonly TokenScope[];
      }
    | undefined;
  /** The client's address. */
  readonly address: string;
  /** Time zone of the account, an IANA name. */
  readonly zone: string;
  /** `/api/test`: all checks, and nothing is stored, sent or charged. */
  readonly dryRun: boolean;
  /** The key that the call came with, for the transaction that does it. */
  readonly sendKey: SendKeyUse | undefined;
}

/** An operation of `POST /api`: its root elements, what it takes, and what it does. */
export interface Operation<Input = unknown> extends OperationDocs {
  /** The names of the root element that choose it. */
  readonly roots: readonly string[];
  readonly schema: z.ZodType<Input, unknown>;
  /** Answers with the documented fields, `status` and `message` among them. Throws Refusal. */
  run(input: Input, call: Call): Promise<StreamedAnswer>;
}

/** Keeps the input's type between an operation's schema and its rule. */
export function operation<Input>(definition: Operation<Input>): Operation {
  return definition as Operation;
}

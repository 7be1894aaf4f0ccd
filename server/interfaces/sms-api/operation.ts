import type { z } from 'zod';
import type { SignedRule } from '../../access/rules.ts';
import type { TokenScope } from '../../access/scopes.ts';
import type { Account } from '../../accounts/accounts.ts';
import type { SendKeyUse } from '../../send-keys/send-keys.ts';
import type { CoreContext } from '../../services.ts';
import type { OperationDocs } from './about.ts';
import type { StreamedAnswer } from './wire/encode-stream.ts';

/** One call of an operation, signed in. */
export interface Call {
  readonly services: CoreContext;
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
  /** Access rule. `/api/test` has the same. */
  readonly access: SignedRule;
  readonly schema: z.ZodType<Input, unknown>;
  /** Answers with the documented fields, `status` and `message` among them. Throws Refusal. */
  run(input: Input, call: Call): Promise<StreamedAnswer>;
}

/** Keeps the input's type between an operation's schema and its rule. */
export function operation<Input>(definition: Operation<Input>): Operation {
  return definition as Operation;
}

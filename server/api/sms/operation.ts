import type { z } from 'zod';
import type { Account } from '../../modules/accounts/accounts.ts';
import type { CoreContext } from '../../run/services.ts';
import type { SignedRule } from '../access/rules.ts';
import type { TokenScope } from '../access/scopes.ts';
import type { SendKeyUse } from '../send-keys/send-keys.ts';
import type { OperationDocs } from './about.ts';
import type { StreamedAnswer } from './wire/encode-stream.ts';

/** A signed-in call of an operation. */
export interface Call {
  readonly services: CoreContext;
  /** The account that the call acts for. */
  readonly account: Account;
  /** The account that owns the token or password: this account or its parent. */
  readonly caller: Account;
  /** The token of the call; undefined for a password. */
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
  /** `/api/test`: runs all checks; stores, sends and charges nothing. */
  readonly dryRun: boolean;
  /** The send key of the call, for its transaction. */
  readonly sendKey: SendKeyUse | undefined;
}

/** An operation of `POST /api`: its root elements, input schema, and implementation. */
export interface Operation<Input = unknown> extends OperationDocs {
  /** Names of the root element that select it. */
  readonly roots: readonly string[];
  /** Access rule. `/api/test` has the same. */
  readonly access: SignedRule;
  readonly schema: z.ZodType<Input, unknown>;
  /** Returns the documented fields, including `status` and `message`. Throws Refusal. */
  run(input: Input, call: Call): Promise<StreamedAnswer>;
}

/** Keeps the input type in common between an operation's schema and `run`. */
export function operation<Input>(definition: Operation<Input>): Operation {
  return definition as Operation;
}

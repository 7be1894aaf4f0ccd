import { atLeast, type PersonRole } from './roles.ts';
import type { AccessRule } from './rules.ts';
import type { TokenScope } from './scopes.ts';

/**
 * The caller, as far as rights depend on it. The password of an account counts as a token with every scope.
 */
export type Principal =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'token'; readonly scopes: readonly TokenScope[] }
  | { readonly kind: 'mail-token' }
  | {
      readonly kind: 'person';
      readonly role: PersonRole;
      /** The rules of the person's account require a second factor, and the person has not set one up. */
      readonly lacksSecondFactor: boolean;
      /** The person has a second factor and has not proven it in this session yet. */
      readonly secondFactorPending?: boolean;
      /** They have proved who they are within the last five minutes (`Sessions.find`). */
      readonly proven: boolean;
    };

/** The decision on a call; a refusal names the missing right, in words for the caller. */
export type Decision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly lacks: 'sign-in' | 'right' | 'second-factor' | 'proof';
      readonly message: string;
    };

const allowed: Decision = { allowed: true };
const secondFactorMissing: Decision = {
  allowed: false,
  lacks: 'second-factor',
  message: 'a second factor is required: set one up first',
};
const secondFactorUnproven: Decision = {
  allowed: false,
  lacks: 'second-factor',
  message: 'prove your second factor first, with POST /v1/session/second-factor/prove',
};
const proofMissing: Decision = {
  allowed: false,
  lacks: 'proof',
  message: 'prove again who you are, with POST /v1/session/proof, and repeat the request',
};
const refused = (message: string): Decision => ({ allowed: false, lacks: 'right', message });

/** Decides by the rule of a route or operation whether somebody may call it. */
export function decide(rule: AccessRule, principal: Principal): Decision {
  if (rule.open !== undefined) return allowed;
  const { roles, scopes, mailToken } = rule;
  switch (principal.kind) {
    case 'nobody':
      return { allowed: false, lacks: 'sign-in', message: 'not signed in' };
    case 'person':
      if (roles.length === 0) return refused('this is for programs, with a token');
      if (principal.secondFactorPending && !rule.beforeSecondFactor) return secondFactorUnproven;
      if (principal.lacksSecondFactor && !rule.withoutSecondFactor) return secondFactorMissing;
      if (!atLeast(principal.role, roles)) {
        return refused(
          `this is for ${roles.includes('operator') ? 'operators' : `the role ${roles.join(' or ')}`}`,
        );
      }
      // After the role: a caller without the role gets the refusal, not a question for a password.
      return rule.proof === 'session' && !principal.proven ? proofMissing : allowed;
    case 'mail-token':
      return mailToken ? allowed : refused('a token of the mailing-list API is for that API only');
    case 'token': {
      if (principal.scopes.some((scope) => scopes.includes(scope))) return allowed;
      if (scopes.length === 0) return refused('this is for people, with a session');
      return refused(`the token lacks the scope ${scopes.join(' or ')}`);
    }
  }
}

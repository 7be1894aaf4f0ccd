import { type Clock, systemClock } from '../../kit/clock.ts';
import type { Context } from '../../kit/context.ts';
import { LoginThrottle } from '../login-throttle/login-throttle.ts';
import { AuditLog } from './audit.ts';
import { PersonLinks } from './one-time-links.ts';
import { OwnCredentials } from './own-credentials.ts';
import { PasskeyChallenges } from './passkey-challenges.ts';
import { Passkeys } from './passkeys.ts';
import { People } from './people.ts';
import { PeopleRules } from './people-rules.ts';
import { Proofs } from './proofs.ts';
import { Sessions } from './sessions.ts';
import { SignIns } from './sign-in.ts';
import { SecondFactors } from './totp.ts';

interface PeopleModuleDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'log' | 'secrets'> {
  /** What the clocks of phones with second factors show; that of the machine without it. */
  readonly phoneClock?: Clock;
}

/** Everything about people of the console. */
export type PeopleModule = ReturnType<typeof createPeopleModule>;

/** Creates the module. */
export function createPeopleModule(deps: PeopleModuleDeps) {
  const { sql, ids, clock, log, secrets, phoneClock = systemClock } = deps;
  const sessions = new Sessions(sql, ids, clock, secrets);
  const links = new PersonLinks(sql, ids, clock);
  const audit = new AuditLog(sql, ids);
  const throttle = new LoginThrottle({ sql, clock, log, audit });
  const secondFactors = new SecondFactors(phoneClock, secrets);
  const challenges = new PasskeyChallenges({ sql, clock: phoneClock });
  const passkeys = new Passkeys({ sql, ids, clock, log, challenges });
  const proofs = new Proofs({ sql, sessions, throttle, secondFactors, passkeys });
  return {
    sessions,
    links,
    people: new People({ sql, ids, clock, sessions, links }),
    signIns: new SignIns({ sql, clock, sessions, links, throttle, secondFactors, passkeys }),
    credentials: new OwnCredentials({
      sql,
      clock,
      sessions,
      links,
      throttle,
      secondFactors,
      passkeys,
      proofs,
    }),
    proofs,
    passkeys,
    rules: new PeopleRules(sql),
    audit,
    throttle,
    /** Deletes what is over and forgotten. */
    async cleanUp() {
      await sessions.cleanUp();
      await links.cleanUp();
      await challenges.cleanUp();
    },
  };
}

import { type Clock, systemClock } from '../clock.ts';
import type { Sql } from '../database/connection.ts';
import type { IdSource } from '../ids.ts';
import { LoginThrottle } from '../login-throttle/login-throttle.ts';
import type { Logger } from '../observability/log.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { AuditLog } from './audit.ts';
import { PersonLinks } from './links.ts';
import { People } from './people.ts';
import { PeopleRules } from './people-rules.ts';
import { Sessions } from './sessions.ts';
import { SignIns } from './sign-in.ts';
import { SecondFactors } from './totp.ts';

/** Everything about people of the console. */
export interface PeopleModule {
  readonly people: People;
  readonly rules: PeopleRules;
  readonly sessions: Sessions;
  readonly signIns: SignIns;
  readonly links: PersonLinks;
  readonly audit: AuditLog;
  readonly throttle: LoginThrottle;
  /** Deletes what is over and forgotten. */
  cleanUp(): Promise<void>;
}

/** Creates the module. `phoneClock` is what the clocks of phones with second factors show. */
export function createPeopleModule(parts: {
  readonly sql: Sql;
  readonly ids: IdSource;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: SecretBox;
  readonly phoneClock?: Clock;
}): PeopleModule {
  const { sql, ids, clock, log, secrets, phoneClock = systemClock } = parts;
  const sessions = new Sessions(sql, ids, clock);
  const links = new PersonLinks(sql, ids, clock);
  const audit = new AuditLog(sql, ids);
  const throttle = new LoginThrottle({ sql, clock, log, audit });
  const secondFactors = new SecondFactors(phoneClock, secrets);
  return {
    sessions,
    links,
    people: new People({ sql, ids, clock, sessions, links }),
    signIns: new SignIns({ sql, clock, sessions, links, throttle, secondFactors }),
    rules: new PeopleRules(sql),
    audit,
    throttle,
    async cleanUp() {
      await sessions.cleanUp();
      await links.cleanUp();
    },
  };
}

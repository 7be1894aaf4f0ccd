import { defineModule } from '../../run/define-module.ts';
import { sendKeysPart } from './personal-data.ts';
import { SendKeys } from './send-keys.ts';
import { sendKeysTables } from './tables.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly sendKeys: SendKeys;
    /** For jobs, whose deletions may be lost in a crash. */
    readonly expiredSendKeys: SendKeys;
  }
}

const MINUTE_MS = 60_000;

/** Send keys, and the removal of those that have expired. */
export const sendKeys = defineModule({
  name: 'send-keys',
  tables: sendKeysTables,
  needs: ['sql', 'asyncCommitSql', 'clock', 'secrets'],
  open: ({ sql, asyncCommitSql, clock, secrets }) => ({
    sendKeys: new SendKeys({ sql, clock, secrets }),
    expiredSendKeys: new SendKeys({ sql: asyncCommitSql, clock, secrets }),
  }),
  jobs: ({ expiredSendKeys }) => [
    {
      owner: 'send keys',
      everyMs: MINUTE_MS,
      step: () => expiredSendKeys.cleanUp(),
      stop: () => expiredSendKeys.stop(),
    },
  ],
  personalData: { phase: 'traces', part: () => sendKeysPart },
});

import type { Events } from '../../engine/events/events.ts';
import type { Gate } from '../../engine/gate/gate.ts';
import type { Work } from '../../engine/work/work.ts';
import type { Context } from '../../kit/context.ts';
import type { Accounts } from '../../modules/accounts/accounts.ts';
import type { TokenUses } from '../../modules/accounts/token-uses.ts';
import type { CsvJobs } from '../../modules/audience/csv-jobs.ts';
import type { Suppressions } from '../../modules/audience/suppressions.ts';
import type { BudgetBook } from '../../modules/budgets/budgets.ts';
import type { Questions } from '../../modules/budgets/questions.ts';
import type { Consents } from '../../modules/consents/consents.ts';
import { MailAdditions } from './additions.ts';
import { MailCodes } from './codes.ts';
import { MailConfirmations } from './confirmation.ts';
import { mailExports } from './exports.ts';
import { MailImports } from './imports.ts';
import { MailListWork } from './list-work.ts';
import { MailLists } from './lists.ts';
import type { Outbox } from './outbox.ts';
import { MailRemovals } from './removal.ts';
import { MailTokens } from './tokens.ts';
import { MailUsers } from './users.ts';

interface MailModuleDeps extends Pick<Context, 'sql' | 'ids' | 'clock' | 'secrets'> {
  readonly tokenUses: TokenUses;
  readonly accounts: Accounts;
  readonly events: Events;
  readonly csvJobs: CsvJobs;
  readonly suppressions: Suppressions;
  readonly consents: Consents;
  readonly gate: Pick<Gate, 'open'>;
  readonly budgets: Pick<BudgetBook, 'takeSome'>;
  readonly questions: Pick<Questions, 'take'>;
  readonly work: Work;
  /** Beginning of links in emails, without a slash at the end. */
  readonly base: () => string;
}

/** Creates the modules of mailing lists, which sending depends on (`lists`, `users`, `removals`). */
export async function createMailModule(deps: MailModuleDeps) {
  const lists = new MailLists(deps);
  const users = new MailUsers(deps);
  const additions = new MailAdditions({ ...deps, users });
  const codes = await MailCodes.open(deps.sql, deps.secrets);
  const csv = { ...deps, jobs: deps.csvJobs, lists, users, additions };
  return {
    lists,
    users,
    additions,
    tokens: new MailTokens(deps),
    removals: new MailRemovals({ ...deps, users, codes }),
    imports: new MailImports(csv),
    exports: mailExports(csv),
    listWork: new MailListWork(deps),

    /** `outbox` is undefined in a process that sends no emails; confirmations then wait. */
    confirmations: (outbox: Outbox | undefined, work: Work = deps.work) =>
      new MailConfirmations({ ...deps, users, codes, outbox, work }),
  };
}

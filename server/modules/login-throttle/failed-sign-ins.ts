import type { Logger } from '../../kit/observability/log.ts';
import type { Attempt } from './attempt.ts';
import type { FailureCounters } from './counters.ts';

/** Writes an entry to the audit log (modules/people/audit.ts). */
export interface AuditWriter {
  write(entry: {
    readonly accountId: number;
    readonly personId?: number | undefined;
    readonly username?: string | undefined;
    readonly address?: string | undefined;
    readonly action: string;
    readonly status: number;
    readonly kind?: string;
    readonly id?: string | number;
    readonly after?: Readonly<Record<string, unknown>>;
  }): Promise<void>;
}

/** Account number of audit entries that belong to no account. */
const NO_ACCOUNT = 0;

/** Whether the n-th failure of a day gets an audit entry: the first five do, then 10, 20, 50, 100, 200, 500 … */
function isMilestone(count: number): boolean {
  if (count <= 5) return true;
  while (count >= 10 && count % 10 === 0) count /= 10;
  return count === 1 || count === 2 || count === 5;
}

interface FailedSignInsDeps {
  readonly counters: FailureCounters;
  readonly log: Logger;
  readonly audit: AuditWriter;
}

/**
 * Records failed sign-ins. Each has a line in the log. The audit log has entries for the first ones of a day and then
 * at round counts, which it names, by person or account; all unknown user names share one count. So an attacker adds
 * about 25 entries a day for each existing name, and as many for all other names together.
 */
export class FailedSignIns {
  readonly #deps: FailedSignInsDeps;

  constructor(deps: FailedSignInsDeps) {
    this.#deps = deps;
  }

  /**
   * Records a failure. Neither log contains the typed name, because people type passwords into the field for the user
   * name.
   */
  async note(attempt: Attempt, reason: string): Promise<void> {
    const { endpoint, who, among, place, audited = true } = attempt;
    const { personId, accountId, smppClientId } = who ?? {};
    this.#deps.log.warn(
      { endpoint, reason, personId, accountId, address: place.address },
      'a sign-in failed',
    );
    if (!audited) return;
    const id = smppClientId ?? personId ?? accountId;
    const failures = await this.#deps.counters.add(`${among}:${id ?? 'nobody'}`);
    if (!isMilestone(failures)) return;
    await this.#deps.audit.write({
      accountId: accountId ?? NO_ACCOUNT,
      personId,
      username: who?.username,
      address: place.address,
      action: endpoint,
      status: reason === 'wrong-code' ? 403 : 401,
      kind: among,
      ...(id !== undefined && { id }),
      after: { reason, failures_of_the_day: failures },
    });
  }
}

import { numbers, texts } from '../../database/arrays.ts';
import type { Queryable, TransactionSql } from '../../database/connection.ts';
import type { DueRows } from '../../database/due-look.ts';
import type { Gate } from '../../engine/gate/gate.ts';
import type { Context } from '../../kit/context.ts';
import { type Condition, type ConditionDeps, type Finding, OPERATOR } from './condition.ts';
import { conditionOf } from './conditions/index.ts';
import {
  type Incident,
  insertIncidents,
  readOpenIncidents,
  removeIncidents,
  updateIncidents,
} from './incident-rows.ts';
import type { AlertNotifications, Told } from './notifications.ts';
import { type AlertRule, ruleColumns } from './rules.ts';

/** Milliseconds between two evaluations of the rules. */
export const EVALUATION_MS = 30_000;
const MINUTE_MS = 60_000;
/** Key in `state`: time of the last evaluation. */
const EVALUATED = 'alerts.evaluated';

interface EvaluatorDeps extends ConditionDeps, Pick<Context, 'ids' | 'log'> {
  readonly gate: Pick<Gate, 'refresh' | 'isSuspended'>;
  readonly notifications: AlertNotifications;
}

/** This evaluation was too slow, and another process has begun a later one. */
class Overtaken extends Error {}

/** New state of an incident after an evaluation, and whether the evaluation begins or ends it. */
interface Seen {
  readonly incident: Incident;
  readonly isStored: boolean;
  readonly change: 'begins' | 'ends' | 'none';
}

/**
 * Compares the conditions of all rules with the stored incidents, every 30 seconds in one of the processes. One transaction
 * stores the beginnings and ends of incidents and their notifications.
 */
export class AlertEvaluator {
  readonly #deps: EvaluatorDeps;

  constructor(deps: EvaluatorDeps) {
    this.#deps = deps;
  }

  /** Due work: the enabled rules, if the last evaluation is at least 30 seconds old. */
  due(): DueRows {
    const { sql, clock } = this.#deps;
    return sql`FROM alert_rules WHERE enabled AND NOT EXISTS (
      SELECT FROM state WHERE key = ${EVALUATED} AND value::bigint > ${clock.now() - EVALUATION_MS})`;
  }

  /** Evaluates all rules, unless another process does. Throws errors of the database. */
  async run(): Promise<void> {
    const { sql, clock, log, gate } = this.#deps;
    const now = clock.now();
    const due = await sql`SELECT 1 ${this.due()} LIMIT 1`;
    if (due.length === 0 || !(await this.#claim(now))) return;
    // Suspended accounts get no alerts.
    const all = await sql<AlertRule[]>`SELECT ${ruleColumns(sql)} FROM alert_rules r WHERE r.enabled`;
    await gate.refresh(all.flatMap(({ accountId }) => (accountId === OPERATOR ? [] : [accountId])));
    const rules = all.filter(({ accountId }) => accountId === OPERATOR || !gate.isSuspended(accountId));
    const { findings, unmeasured } = await this.#measure(rules);
    try {
      await sql.begin(async (tx) => {
        await this.#fence(tx, now);
        const open = await readOpenIncidents(tx);
        const known = open.filter(({ kind }) => !unmeasured.has(kind));
        const ruleOf = new Map(rules.map((rule) => [rule.id, rule]));
        const { seen, over } = this.#compare(ruleOf, findings, known, now);
        const { incidents, told } = await this.#tell(tx, ruleOf, seen, now);
        await insertIncidents(
          tx,
          incidents.filter(({ isStored }) => !isStored).map(({ incident }) => incident),
        );
        await updateIncidents(
          tx,
          incidents.filter(({ isStored }) => isStored).map(({ incident }) => incident),
        );
        await removeIncidents(tx, over);
        await this.#deps.notifications.add(tx, told);
      });
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      log.info('another process has evaluated the alert rules');
    }
  }

  /** Claims this evaluation; returns false when another process has it. */
  async #claim(now: number): Promise<boolean> {
    const rows = await this.#deps.sql`
      INSERT INTO state AS s (key, value) VALUES (${EVALUATED}, to_jsonb(${now}::bigint))
      ON CONFLICT (key) DO UPDATE SET value = excluded.value WHERE s.value::bigint <= ${now - EVALUATION_MS}
      RETURNING key`;
    return rows.length > 0;
  }

  /** Lets only one evaluation at a time store its findings. Throws Overtaken when a later one has begun. */
  async #fence(tx: TransactionSql, now: number): Promise<void> {
    const rows = await tx`
      SELECT FROM state WHERE key = ${EVALUATED} AND value::bigint = ${now} FOR UPDATE`;
    if (rows.length === 0) throw new Overtaken();
  }

  /** Measures each kind separately: a kind that fails leaves its incidents unchanged. */
  async #measure(rules: readonly AlertRule[]) {
    const findings: Finding[] = [];
    const unmeasured = new Set<string>();
    for (const [kind, some] of Map.groupBy(rules, ({ kind }) => kind)) {
      const condition: Condition = conditionOf(kind);
      try {
        findings.push(...(await condition.measure(this.#deps, some)));
      } catch (error) {
        unmeasured.add(kind);
        this.#deps.log.warn({ err: error, kind }, 'the condition of alert rules could not be measured');
      }
    }
    return { findings, unmeasured };
  }

  /**
   * Compares findings with stored incidents. Returns the incidents in their new state, and the ids of those whose condition
   * ended before the incident began.
   */
  #compare(
    ruleOf: ReadonlyMap<number, AlertRule>,
    findings: readonly Finding[],
    open: readonly Incident[],
    now: number,
  ): { readonly seen: readonly Seen[]; readonly over: readonly number[] } {
    const gone = new Map(open.map((incident) => [keyOf(incident), incident]));
    const seen = findings.map((finding): Seen => {
      const rule = ruleOf.get(finding.ruleId)!;
      const stored = gone.get(keyOf(finding));
      gone.delete(keyOf(finding));
      const before = stored ?? this.#newIncident(rule, finding, now);
      const hasBegun = before.beganAt !== null || now - before.heldAt >= rule.forMinutes * MINUTE_MS;
      const beganAt = hasBegun ? (before.beganAt ?? now) : null;
      const incident = { ...before, seenAt: now, measured: finding.measured, beganAt };
      // An incident that began during the pause of its rule is reported when the pause is over.
      const change = hasBegun && before.toldAt === null ? 'begins' : 'none';
      return { incident, isStored: stored !== undefined, change };
    });
    const over: number[] = [];
    for (const incident of gone.values()) {
      const rule = ruleOf.get(incident.ruleId);
      if (incident.beganAt === null) over.push(incident.id);
      // The rules of a suspended account are not evaluated; its incidents end without a notification.
      else if (!rule || now - incident.seenAt >= rule.clearMinutes * MINUTE_MS) {
        const change = rule && incident.toldAt !== null ? 'ends' : 'none';
        seen.push({ incident: { ...incident, endedAt: now }, isStored: true, change });
      }
    }
    return { seen, over };
  }

  #newIncident(rule: AlertRule, { subject, measured }: Finding, now: number): Incident {
    return {
      id: this.#deps.ids.next(),
      accountId: rule.accountId,
      ruleId: rule.id,
      ruleName: rule.name,
      kind: rule.kind,
      subject,
      measured,
      heldAt: now,
      seenAt: now,
      beganAt: null,
      endedAt: null,
      toldAt: null,
    };
  }

  /**
   * Selects the notifications to send now: ends, and beginnings that the pause of the rule does not suppress. Returns the
   * incidents with the time of their notification.
   */
  async #tell(
    tx: TransactionSql,
    ruleOf: ReadonlyMap<number, AlertRule>,
    seen: readonly Seen[],
    now: number,
  ): Promise<{ readonly incidents: readonly Seen[]; readonly told: readonly Told[] }> {
    const beginning = seen.filter(({ change }) => change === 'begins').map(({ incident }) => incident);
    const earlier = await earlierOf(tx, beginning);
    const told: Told[] = [];
    const incidents = seen.map((one): Seen => {
      const { incident, change } = one;
      if (change === 'none') return one;
      const rule = ruleOf.get(incident.ruleId)!;
      if (change === 'ends') {
        told.push({ rule, incident, phase: 'ended', times: 1 });
        return one;
      }
      const { toldAt, untold } = earlier.get(keyOf(incident))!;
      if (toldAt !== null && now - toldAt < rule.pauseMinutes * MINUTE_MS) return one;
      const after = { ...incident, toldAt: now };
      told.push({ rule, incident: after, phase: 'began', times: untold + 1 });
      return { ...one, incident: after };
    });
    return { incidents, told };
  }
}

const keyOf = ({ ruleId, subject }: Pick<Finding, 'ruleId' | 'subject'>) => `${ruleId} ${subject}`;

interface Earlier {
  /** Time of the last notification about the subject; null when none was sent. */
  readonly toldAt: number | null;
  /** Incidents since then that began and ended without a notification. */
  readonly untold: number;
}

/** Finds earlier incidents of the same rules and subjects. */
async function earlierOf(
  sql: Queryable,
  incidents: readonly Incident[],
): Promise<ReadonlyMap<string, Earlier>> {
  if (incidents.length === 0) return new Map();
  const rows = await sql<(Earlier & { ruleId: number; subject: string })[]>`
    SELECT u.rule_id AS "ruleId", u.subject, t.told_at AS "toldAt", (
      SELECT count(*)::int FROM alert_incidents i
      WHERE i.rule_id = u.rule_id AND i.subject = u.subject AND i.told_at IS NULL AND i.ended_at IS NOT NULL
        AND i.began_at > coalesce(t.told_at, 0)) AS untold
    FROM unnest(${numbers(incidents.map(({ ruleId }) => ruleId))}::bigint[],
      ${texts(incidents.map(({ subject }) => subject))}::text[]) AS u (rule_id, subject)
    CROSS JOIN LATERAL (
      SELECT max(told_at) AS told_at FROM alert_incidents i WHERE i.rule_id = u.rule_id AND i.subject = u.subject
    ) t`;
  return new Map(rows.map((row) => [keyOf(row), row]));
}

import { AuditPage } from './audit-page.tsx';
import { ofOperator } from './team.ts';

/** What operators changed that was for no account. */
export default function OperatorAudit() {
  return <AuditPage team={ofOperator} />;
}

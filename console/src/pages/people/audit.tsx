import { AuditPage } from './audit-page.tsx';
import { ofAccount } from './team.ts';

/** Who changed what of the account. */
export default function Audit() {
  return <AuditPage team={ofAccount} />;
}

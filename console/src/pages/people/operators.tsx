import { ofOperator } from './team.ts';
import { TeamPage } from './team-page.tsx';

/** Who runs the service. */
export default function Operators() {
  return <TeamPage team={ofOperator} />;
}

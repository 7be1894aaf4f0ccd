import { ofAccount } from './team.ts';
import { TeamPage } from './team-page.tsx';

/** Who signs in for the account. */
export default function People() {
  return <TeamPage team={ofAccount} />;
}

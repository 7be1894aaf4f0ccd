import { Link } from 'wouter';
import { useAnswer } from '../api/queries.ts';
import { Amount } from '../components/values.tsx';
import { useTexts } from '../i18n/use-texts.tsx';

/** Balance of the account, refreshed because other people and programs spend from it. */
export function Balance() {
  const { shell } = useTexts();
  const { data } = useAnswer('/v1/wallet', {}, { refetchInterval: 30_000 });
  if (!data) return null;
  return (
    <Link href="/wallet" className="navigation-balance">
      <span>{shell.balance}</span>
      <b>
        <Amount value={data.balance} unit />
      </b>
    </Link>
  );
}

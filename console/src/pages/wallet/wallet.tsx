import { Group, Paper, Text } from '@mantine/core';
import { Wallet as WalletIcon } from 'lucide-react';
import { useAnswer } from '../../api/queries.ts';
import { warningText } from '../../components/colors.ts';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Amount } from '../../components/values.tsx';
import { BudgetsCard } from '../../features/budgets/budgets-card.tsx';
import { Ledger } from '../../features/wallet/ledger.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Balance below which the page warns. */
const LITTLE = 100;

/** Wallet of the account: its balance, and every movement. */
export default function Wallet() {
  const { wallet: t } = useTexts();
  const query = useAnswer('/v1/wallet', {});
  return (
    <Page lead={t.lead}>
      <Fetched query={query} lines={2}>
        {({ balance }) => (
          <Paper withBorder p="lg">
            <Group gap="md" wrap="nowrap">
              <WalletIcon size={34} aria-hidden />
              <div>
                <Text size="2rem" fw={650} lh={1.1} component="p" m={0}>
                  <Amount value={balance} />
                </Text>
                <Muted>{t.canBeSpent}</Muted>
                {Number(balance) < LITTLE && (
                  <Text size="sm" fw={600} c={warningText}>
                    {Number(balance) <= 0 ? t.empty : t.low}
                  </Text>
                )}
              </div>
            </Group>
          </Paper>
        )}
      </Fetched>
      <BudgetsCard query={useAnswer('/v1/budgets')} />
      <Ledger title={t.movements} />
    </Page>
  );
}

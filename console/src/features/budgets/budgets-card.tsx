import { ActionIcon } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import type { Answer } from '../../api/operations.ts';
import { Card } from '../../components/card.tsx';
import { type Column, RowsTable } from '../../components/data-table.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { amountText, Time } from '../../components/values.tsx';
import { useLanguage } from '../../i18n/use-texts.tsx';
import { useBudgetTexts } from './texts.ts';

type Budgets = Answer<'/v1/budgets'>;
export type Budget = Budgets['budgets'][number];

export const MEGABYTE = 1_000_000;
/** Unit that is shown for each budget; other units are shown if they have a limit. */
const mainUnit = (budget: Budget['budget']) => (budget === 'files' ? 'bytes' : 'count');

/** Amounts that an account used of its budgets, and their limits. `onChange` changes a limit. */
export function BudgetsCard({
  query,
  onChange,
}: {
  readonly query: UseQueryResult<Budgets, unknown>;
  readonly onChange?: (budget: Budget) => void;
}) {
  const t = useBudgetTexts();
  const columns = useColumns(onChange);
  return (
    <Card id="budgets" title={t.title} lead={t.lead}>
      <Fetched query={query}>
        {({ budgets }) => (
          <RowsTable
            caption={t.title}
            verticalSpacing="sm"
            rows={budgets}
            rowKey={({ budget }) => budget}
            columns={columns}
          />
        )}
      </Fetched>
    </Card>
  );
}

function useColumns(onChange: ((budget: Budget) => void) | undefined): Column<Budget>[] {
  const t = useBudgetTexts();
  const amountsOf = useAmounts();
  const columns: Column<Budget>[] = [
    { title: t.budget, rowHeader: true, cell: ({ budget }) => t.kinds[budget] },
    { title: t.used, align: 'end', cell: (budget) => <bdi>{amountsOf(budget).used}</bdi> },
    {
      title: t.limit,
      align: 'end',
      cell: (budget) => (
        <>
          <bdi>{amountsOf(budget).limit}</bdi>
          {budget.is_own && <Muted size="xs">{t.own}</Muted>}
        </>
      ),
    },
    {
      title: t.renews,
      wideOnly: true,
      cell: ({ renews_at }) => (renews_at === null ? t.never : <Time at={renews_at} />),
    },
  ];
  if (!onChange) return columns;
  const actions: Column<Budget> = {
    key: 'actions',
    title: '',
    align: 'end',
    cell: (budget) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t.change(t.kinds[budget.budget])}
        onClick={() => onChange(budget)}
      >
        <Pencil size={17} aria-hidden />
      </ActionIcon>
    ),
  };
  return [...columns, actions];
}

/** Formats amounts: the main unit, and credits if they have a limit. */
function useAmounts() {
  const t = useBudgetTexts();
  const language = useLanguage();
  return ({ budget, count, count_limit, bytes, bytes_limit, credits, credits_limit }: Budget) => {
    const isBytes = mainUnit(budget) === 'bytes';
    const text = (value: number) => (isBytes ? bytesText(value, language) : value.toLocaleString(language));
    const limit = isBytes ? bytes_limit : count_limit;
    const hasCredits = credits_limit !== null;
    const used = text(isBytes ? bytes : count);
    const most = limit === null ? undefined : text(limit);
    const mostCredits = hasCredits ? t.credits(amountText(credits_limit, language)) : undefined;
    return {
      used: hasCredits ? `${used} · ${t.credits(amountText(credits, language))}` : used,
      limit: [most, mostCredits].filter((one) => one !== undefined).join(' · ') || t.noLimit,
    };
  };
}

const bytesText = (bytes: number, language: string): string =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: bytes < MEGABYTE ? 3 : 1,
  }).format(bytes / MEGABYTE);

import { useForm } from '@mantine/form';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { type Budget, BudgetsCard, MEGABYTE } from '../../features/budgets/budgets-card.tsx';
import { useBudgetTexts } from '../../features/budgets/texts.ts';

const BUDGETS = '/v1/operator/accounts/{id}/budgets';

/** The budgets of an account, whose limits the operator changes. */
export function AccountBudgets({ id }: { readonly id: string }) {
  const t = useBudgetTexts();
  const { open } = useDialogs();
  const query = useAnswer(BUDGETS, byId(id));
  return (
    <BudgetsCard
      query={query}
      onChange={(budget) =>
        open(t.change(t.kinds[budget.budget]), <LimitForm accountId={id} budget={budget} />)
      }
    />
  );
}

function LimitForm({ accountId, budget }: { readonly accountId: string; readonly budget: Budget }) {
  const t = useBudgetTexts();
  const done = useDone();
  const isFiles = budget.budget === 'files';
  const hasCredits = budget.budget === 'automatic-replies';
  const shown = (limit: number | string | null) => (budget.is_own ? String(limit ?? 0) : '');
  const check = (text: string) => (/^(\d{1,9}(\.\d{1,4})?)?$/.test(text.trim()) ? null : t.badNumber);
  const form = useForm({
    initialValues: {
      count: shown(budget.count_limit),
      megabytes: shown(budget.bytes_limit === null ? null : budget.bytes_limit / MEGABYTE),
      credits: shown(budget.credits_limit),
    },
    validate: { count: check, megabytes: check, credits: check },
  });
  const submission = useSubmission(
    form,
    async ({ count, megabytes, credits }) => {
      const body = {
        budget: budget.budget,
        ...(!isFiles && { count: numberOf(count) }),
        ...(isFiles && { bytes: scaled(numberOf(megabytes)) }),
        ...(hasCredits && { credits: credits.trim() === '' ? null : credits.trim() }),
      };
      await client.PATCH(BUDGETS, { ...byId(accountId), body });
      await done(t.saved, BUDGETS, '/v1/budgets');
    },
    { bytes: 'megabytes' },
  );
  const field = fieldsOf(form);
  const options = { hint: t.limitHint, inputMode: 'decimal' } as const;
  return (
    <Form submission={submission} action={t.save}>
      {!isFiles && field.text('count', t.count, { ...options, focus: true })}
      {isFiles && field.text('megabytes', t.megabytes, { ...options, focus: true })}
      {hasCredits && field.text('credits', t.creditsLimit, options)}
    </Form>
  );
}

const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text));
const scaled = (megabytes: number | null): number | null =>
  megabytes === null ? null : Math.round(megabytes * MEGABYTE);

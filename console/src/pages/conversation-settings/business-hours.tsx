import { MultiSelect, NumberInput, Stack, Switch } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { Fetched } from '../../components/states.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Settings, useChangeSettings } from './change-settings.ts';
import { OpeningHours } from './opening-hours.tsx';
import { SETTINGS } from './paths.ts';
import { useSettingsTexts } from './texts.ts';

const MAX_DAYS = 365;
const USUAL_DAYS = 14;

/** When people answer, who gets new conversations, and when silent ones are closed. */
export default function Hours() {
  const { hours: t } = useSettingsTexts();
  const query = useAnswer(SETTINGS);
  return (
    <Page lead={t.lead}>
      <Fetched query={query}>
        {(settings) => (
          <Stack gap="lg" maw={820}>
            <OpeningHours settings={settings} />
            <Turns settings={settings} />
            <Closing settings={settings} />
          </Stack>
        )}
      </Fetched>
    </Page>
  );
}

function Turns({ settings }: { readonly settings: Settings }) {
  const { hours: t } = useSettingsTexts();
  const { common } = useTexts();
  const change = useChangeSettings();
  const agents = useAnswer('/v1/conversation-agents').data?.agents ?? [];
  const known = new Set(agents.map(({ id }) => id));
  const form = useForm({
    initialValues: { assign_by_turns: settings.assign_by_turns, turn_ids: settings.turn_ids },
  });
  const submission = useSubmission(form, ({ turn_ids, ...values }) =>
    // Excludes people who were disabled in the meantime.
    change({ ...values, turn_ids: turn_ids.filter((id) => known.has(id)) }),
  );
  return (
    <Card id="turns" title={t.turns} lead={t.turnsHint}>
      <Form submission={submission} action={common.save} narrow>
        {fieldsOf(form).toggle('assign_by_turns', t.byTurns)}
        {form.values.assign_by_turns && (
          <MultiSelect
            label={t.people}
            placeholder={form.values.turn_ids.length === 0 ? t.everybody : undefined}
            data={agents.map(({ id, name }) => ({ value: id, label: name }))}
            searchable
            clearable
            maw={420}
            {...form.getInputProps('turn_ids')}
          />
        )}
      </Form>
    </Card>
  );
}

function Closing({ settings }: { readonly settings: Settings }) {
  const { hours: t } = useSettingsTexts();
  const { common } = useTexts();
  const change = useChangeSettings();
  const form = useForm<{ close_after_days: number | null }>({
    initialValues: { close_after_days: settings.close_after_days },
  });
  const submission = useSubmission(form, change);
  const closes = form.values.close_after_days !== null;
  return (
    <Card id="closing" title={t.closing} lead={t.closingHint}>
      <Form submission={submission} action={common.save} narrow>
        <Switch
          label={t.closeSilent}
          checked={closes}
          onChange={(event) =>
            form.setFieldValue('close_after_days', event.currentTarget.checked ? USUAL_DAYS : null)
          }
        />
        {closes && (
          <NumberInput
            label={t.after}
            min={1}
            max={MAX_DAYS}
            allowDecimal={false}
            required
            maw={200}
            {...form.getInputProps('close_after_days')}
          />
        )}
      </Form>
    </Card>
  );
}

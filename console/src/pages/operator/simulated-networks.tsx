import { Grid, Group, NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FastForward, FlaskConicalOff } from 'lucide-react';
import { client } from '../../api/client.ts';
import { CarillonError } from '../../api/errors.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { Form, useSubmission } from '../../components/form.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Time } from '../../components/values.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { useOperatorTexts } from './texts.ts';

type Settings = Answer<'/v1/operator/sandbox'>;

const REFRESH_MS = 5_000;
/** Less is the way of the answer. */
const AHEAD_MS = 30_000;

/** How the simulated networks behave, and their clock. */
export default function Sandbox() {
  const { sandbox: t } = useOperatorTexts();
  const query = useAnswer('/v1/operator/sandbox', {}, { refetchInterval: REFRESH_MS });
  const { error } = query as { readonly error: unknown };
  if (error instanceof CarillonError && error.httpStatus === 404) {
    return (
      <Page>
        <Empty icon={FlaskConicalOff} title={t.none} hint={t.noneHint} />
      </Page>
    );
  }
  return (
    <Page lead={t.lead}>
      <Fetched query={query}>
        {(settings) => (
          <Grid gap="lg">
            <Grid.Col span={{ base: 12, md: 6 }}>
              <SettingsCard settings={settings} />
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 6 }}>
              <Clock now={settings.now} />
            </Grid.Col>
          </Grid>
        )}
      </Fetched>
    </Page>
  );
}

function SettingsCard({ settings }: { readonly settings: Settings }) {
  const operator = useOperatorTexts();
  const { common } = useTexts();
  const { sandbox: t } = operator;
  const done = useDone();
  const refresh = useRefresh();
  const form = useForm({
    initialValues: {
      receipt_delay_ms: settings.receipt_delay_ms,
      messages_per_second: settings.messages_per_second,
      chat_messages_per_second: settings.chat_messages_per_second,
    },
  });
  const submission = useSubmission(form, async (values) => {
    await client.PATCH('/v1/operator/sandbox', { body: values });
    await done(t.saved);
    form.resetDirty();
    await refresh('/v1/operator/sandbox');
  });
  const number = { min: 0, allowDecimal: false, allowNegative: false, clampBehavior: 'strict' as const };
  return (
    <Card title={t.settings}>
      <Form submission={submission} action={common.save} disabled={!form.isDirty()} narrow>
        <NumberInput
          label={t.receiptDelay}
          max={3_600_000}
          {...number}
          {...form.getInputProps('receipt_delay_ms')}
        />
        <NumberInput
          label={t.smsRate}
          description={t.noLimit}
          max={1_000_000}
          {...number}
          {...form.getInputProps('messages_per_second')}
        />
        <NumberInput
          label={t.chatRate}
          description={t.noLimit}
          max={1_000_000}
          {...number}
          {...form.getInputProps('chat_messages_per_second')}
        />
      </Form>
    </Card>
  );
}

function Clock({ now }: { readonly now: string }) {
  const { common } = useTexts();
  const { sandbox: t } = useOperatorTexts();
  const language = useLanguage();
  const done = useDone();
  const { ask } = useDialogs();
  const advance = (seconds: number, label: string) =>
    ask({
      title: t.advanceTitle(label),
      text: t.advanceText,
      action: t.advance,
      keep: common.keeps.time,
      run: async () => {
        await client.PATCH('/v1/operator/sandbox', { body: { advance_seconds: seconds } });
        await done(t.advanced, '/v1/operator/sandbox');
      },
    });
  const ahead = Date.parse(now) - Date.now();
  return (
    <Card title={t.clock} lead={t.clockHint}>
      <div>
        <Muted>{t.now}</Muted>
        <Text size="xl" fw={650}>
          <Time at={now} to="second" />
        </Text>
        <Muted>{ahead > AHEAD_MS ? t.ahead(spanText(ahead, language)) : t.inStep}</Muted>
      </div>
      <Group gap="xs">
        {Object.entries(t.steps).map(([seconds, label]) => (
          <Action
            icon={FastForward}
            mirrored
            key={seconds}
            variant="default"
            onClick={() => advance(Number(seconds), label)}
          >
            {label}
          </Action>
        ))}
      </Group>
    </Card>
  );
}

/** `2 days`, `3 hours`: a span of milliseconds in its largest unit. */
function spanText(milliseconds: number, language: string): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const;
  const [unit, size] = units.find(([, one]) => milliseconds >= one * 0.95) ?? units[2];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(milliseconds / size);
}

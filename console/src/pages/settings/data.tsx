import { Radio, Stack, Text } from '@mantine/core';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { RetentionForm } from '../../features/retention/retention-form.tsx';
import { useDataTexts } from '../../features/retention/texts.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

const RETENTION = '/v1/data/retention';
const TEXTS = '/v1/data/texts';

/** Ordered from the least to the most strict. */
const modes = ['plain', 'sealed', 'none'] as const;

/** Stored data of an account and its retention times. */
export default function Data() {
  const t = useDataTexts();
  return (
    <Page lead={t.lead}>
      <Stack gap="lg" maw={820}>
        <RetentionCard />
        <TextsCard />
      </Stack>
    </Page>
  );
}

function RetentionCard() {
  const t = useDataTexts();
  const done = useDone();
  const query = useAnswer(RETENTION);
  return (
    <Card id="retention" title={t.retention} lead={t.retentionHint}>
      <Fetched query={query}>
        {(retention) => (
          <RetentionForm
            retention={retention}
            save={async (body) => {
              await client.PATCH(RETENTION, { body });
              await done(t.saved, RETENTION);
            }}
          />
        )}
      </Fetched>
    </Card>
  );
}

function TextsCard() {
  const t = useDataTexts();
  const query = useAnswer(TEXTS);
  return (
    <Card id="texts" title={t.texts} lead={t.textsHint}>
      <Fetched query={query}>{(texts) => <ModeChoice texts={texts} />}</Fetched>
    </Card>
  );
}

function ModeChoice({ texts: { mode, installation } }: { readonly texts: Answer<typeof TEXTS> }) {
  const t = useDataTexts();
  const { common } = useTexts();
  const { ask } = useDialogs();
  const done = useDone();
  const save = async (wanted: typeof mode) => {
    await client.PATCH(TEXTS, { body: { mode: wanted } });
    await done(t.modeSaved, TEXTS, RETENTION);
  };
  const { error, run } = useTask(save);
  const choose = (wanted: typeof mode) =>
    wanted === 'none'
      ? ask({
          title: t.noneTitle,
          text: t.noneText,
          action: t.noneAction,
          keep: common.back,
          run: () => save(wanted),
        })
      : run(wanted);
  return (
    <Stack gap="sm">
      <Radio.Group aria-label={t.texts} value={mode} onChange={(value) => void choose(value as typeof mode)}>
        <Stack gap="sm">
          {modes.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t.modes[one].name}
              description={t.modes[one].hint}
              disabled={modes.indexOf(one) < modes.indexOf(installation)}
            />
          ))}
        </Stack>
      </Radio.Group>
      {installation !== 'plain' && <Text size="sm">{t.atLeast}</Text>}
      <ErrorNote error={error} />
    </Stack>
  );
}

import { Button, Group } from '@mantine/core';
import { Ban, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { type Stale, useRefresh } from '../../api/refresh.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { useTask } from '../../components/task.ts';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';

/** What the service does with a campaign: one of the SMS family, of chat or of mail. */
interface CampaignControl {
  pause(): Promise<unknown>;
  resume(): Promise<unknown>;
  cancel(): Promise<{ readonly cancelled: number; readonly handed_over: number }>;
  /** What is read anew afterwards. */
  readonly stale: readonly Stale[];
}

/** Pauses, resumes and cancels a campaign, as far as its state and the role allow. */
export function CampaignActions({
  name,
  state,
  control,
  mayPause = true,
  pausedText,
  compact = false,
}: {
  readonly name: string;
  readonly state: string;
  readonly control: CampaignControl;
  readonly mayPause?: boolean;
  /** Said once it is paused. */
  readonly pausedText?: string;
  readonly compact?: boolean;
}) {
  const { campaigns: t } = useTexts();
  const language = useLanguage();
  const maySend = useMay('sender');
  const done = useDone();
  const refresh = useRefresh();
  const attempt = useAttempt();
  const [cancelling, setCancelling] = useState(false);
  const { busy, run: change } = useTask(async (what: 'pause' | 'resume') => {
    await attempt(async () => {
      await control[what]();
      await done(what === 'pause' ? (pausedText ?? t.paused) : t.resumed);
    });
    await refresh(...control.stale, '/v1/wallet');
  });
  if (!maySend || !['scheduled', 'running', 'paused'].includes(state)) return null;

  async function cancel() {
    const { cancelled, handed_over } = await control.cancel();
    const counts = [cancelled, handed_over].map((count) => count.toLocaleString(language));
    await done(t.cancelled(counts[0]!, counts[1]!), ...control.stale, '/v1/wallet');
  }

  const size = compact ? 'compact-sm' : 'sm';
  const shown = state === 'paused' ? 'resume' : 'pause';
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {(shown === 'resume' || mayPause) && (
        <Button
          size={size}
          variant={shown === 'pause' ? 'default' : compact ? 'light' : 'filled'}
          leftSection={
            shown === 'pause' ? (
              <Pause size={15} aria-hidden />
            ) : (
              <Play size={15} className="mirrored" aria-hidden />
            )
          }
          loading={busy}
          aria-label={`${t[shown]}: ${name}`}
          onClick={() => void change(shown)}
        >
          {t[shown]}
        </Button>
      )}
      <Action
        icon={Ban}
        size={size}
        variant={compact ? 'subtle' : 'light'}
        color="red"
        aria-label={`${t.cancel}: ${name}`}
        onClick={() => setCancelling(true)}
      >
        {t.cancel}
      </Action>
      <Confirm
        opened={cancelling}
        onClose={() => setCancelling(false)}
        title={t.cancelTitle}
        action={t.cancel}
        danger
        onConfirm={cancel}
      >
        <p>
          <b>
            <bdi>{name}</bdi>
          </b>
        </p>
        {t.cancelText}
      </Confirm>
    </Group>
  );
}

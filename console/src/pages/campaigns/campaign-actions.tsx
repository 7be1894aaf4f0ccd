import { Button, Group } from '@mantine/core';
import { Ban, CalendarClock, Copy, Pause, Play } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMay } from '../../api/session-context.ts';
import { Action } from '../../components/action.tsx';
import { ActionMenu } from '../../components/action-menu.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useAttempt, useDone } from '../../components/notify.ts';
import { useTask } from '../../components/task.ts';
import { amountText } from '../../components/values.tsx';
import { type Campaign, totalOf } from '../../features/campaigns/campaign.ts';
import { useCampaignName } from '../../features/campaigns/campaign-name.ts';
import { sendAddress } from '../../features/composing/send-address.ts';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { Reschedule } from './reschedule.tsx';

/** Queries to refresh after a change of a campaign. */
const stale = [
  '/v1/campaigns',
  '/v1/campaigns/{id}',
  '/v1/campaigns/{id}/failed-recipients',
  '/v1/shipments/{id}',
  '/v1/wallet',
] as const;

/**
 * Pauses, resumes, cancels, reschedules and duplicates a campaign, as far as its state and the role allow. `onChange` gets it
 * as it is afterwards.
 */
export function CampaignActions({
  campaign,
  isSingle = false,
  hasFallback = false,
  compact = false,
  onChange,
}: {
  readonly campaign: Campaign;
  /** The shipment of a single message, which can only be cancelled. */
  readonly isSingle?: boolean;
  /** Whether another channel may still send second messages, which can be cancelled, too. */
  readonly hasFallback?: boolean;
  readonly compact?: boolean;
  readonly onChange: (campaign: Campaign) => void;
}) {
  const { campaigns: t } = useTexts();
  const maySend = useMay('sender');
  const done = useDone();
  const refresh = useRefresh();
  const attempt = useAttempt();
  const name = useCampaignName(campaign);
  const { open } = useDialogs();
  const { state } = campaign;
  const params = byId(campaign.id);
  const { busy, run: change } = useTask(async (what: 'pause' | 'resume') => {
    await attempt(async () => {
      const data =
        what === 'pause'
          ? await client.POST('/v1/campaigns/{id}/pause', params)
          : await client.POST('/v1/campaigns/{id}/resume', params);
      onChange(data);
      await done(what === 'pause' ? t.paused : t.resumed);
    });
    await refresh(...stale);
  });
  const cancel = useCancel(campaign, isSingle);
  if (!maySend) return null;
  const isOpen = ['scheduled', 'running', 'paused'].includes(state);

  const size = compact ? 'compact-sm' : 'sm';
  const shown = state === 'paused' ? 'resume' : 'pause';
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {isOpen && (shown === 'resume' || (totalOf(campaign) > 1 && !isSingle)) && (
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
      {(isOpen || hasFallback) && (
        <Action
          icon={Ban}
          size={size}
          variant={compact ? 'subtle' : 'light'}
          color="red"
          aria-label={`${t.cancel}: ${name}`}
          onClick={cancel}
        >
          {t.cancel}
        </Action>
      )}
      {!isSingle && (
        <ActionMenu
          label={`${t.actions}: ${name}`}
          framed={!compact}
          entries={[
            { icon: Copy, label: t.duplicate, href: duplicateOf(campaign) },
            state === 'scheduled' && {
              icon: CalendarClock,
              label: t.reschedule,
              onClick: () => open(t.reschedule, <Reschedule campaign={campaign} onChange={onChange} />),
            },
          ]}
        />
      )}
    </Group>
  );
}

/** The composer, filled with what a campaign was. A call is composed where texts are. */
const duplicateOf = ({ id, channel }: Campaign) =>
  sendAddress(channel === 'voice' ? 'sms' : channel, { repeat: id });

/** Asks for a confirmation, and cancels a campaign. */
function useCancel(campaign: Campaign, isSingle: boolean): () => void {
  const { campaigns: t } = useTexts();
  const language = useLanguage();
  const done = useDone();
  const { ask } = useDialogs();
  const name = useCampaignName(campaign);
  async function run() {
    const path = isSingle ? '/v1/shipments/{id}/cancel' : '/v1/campaigns/{id}/cancel';
    const data = await client.POST(path, byId(campaign.id));
    const counts = [data.cancelled, data.submitted].map((count) => count.toLocaleString(language));
    await done(t.cancelled(counts[0]!, counts[1]!, amountText(data.refunded, language)), ...stale);
  }
  const text = (
    <>
      <p>
        <b>
          <bdi>{name}</bdi>
        </b>
      </p>
      {t.cancelText}
    </>
  );
  return () => ask({ title: t.cancelTitle, text, action: t.cancelAction, keep: t.keep, run });
}

import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Ban, Pause, Play } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { Confirm } from '../../components/confirm.tsx';
import { errorText } from '../../components/states.tsx';
import { useLanguage, useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';
import { isOpen, type MailCampaign } from './mail-campaign.ts';

/** Pausing, going on and cancelling, as far as the state of the campaign and the role allow. */
export function MailCampaignActions({ campaign }: { readonly campaign: MailCampaign }) {
  const texts = useTexts();
  const { campaigns: t, mailCampaigns } = texts;
  const language = useLanguage();
  const { role } = useSession();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [cancelling, setCancelling] = useState(false);
  const params = { params: { path: { id: campaign.id } } };
  if (!atLeast(role, 'sender') || !isOpen(campaign)) return null;

  async function refresh() {
    await queryClient.invalidateQueries({ queryKey: ['mail-campaigns'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/mail/campaigns/{id}'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/wallet'] });
  }

  async function change(what: 'pause' | 'resume') {
    setBusy(true);
    try {
      await client.POST(
        what === 'pause' ? '/v1/mail/campaigns/{id}/pause' : '/v1/mail/campaigns/{id}/resume',
        params,
      );
      notifications.show({ message: what === 'pause' ? mailCampaigns.paused : t.resumed });
    } catch (error) {
      notifications.show({
        color: 'red',
        title: texts.common.errors.title,
        message: errorText(error, texts),
      });
    } finally {
      setBusy(false);
      await refresh();
    }
  }

  async function cancel() {
    const { data } = await client.POST('/v1/mail/campaigns/{id}/cancel', params);
    const { cancelled, handed_over } = data!;
    notifications.show({
      message: t.cancelled(cancelled.toLocaleString(language), handed_over.toLocaleString(language)),
    });
    await refresh();
  }

  return (
    <>
      {campaign.state === 'paused' ? (
        <Button
          leftSection={<Play size={15} className="mirrored" aria-hidden />}
          loading={busy}
          onClick={() => void change('resume')}
        >
          {t.resume}
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<Pause size={15} aria-hidden />}
          loading={busy}
          onClick={() => void change('pause')}
        >
          {t.pause}
        </Button>
      )}
      <Button
        variant="light"
        color="red"
        leftSection={<Ban size={15} aria-hidden />}
        onClick={() => setCancelling(true)}
      >
        {t.cancel}
      </Button>
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
            <bdi>{campaign.name ?? campaign.subject}</bdi>
          </b>
        </p>
        {t.cancelText}
      </Confirm>
    </>
  );
}

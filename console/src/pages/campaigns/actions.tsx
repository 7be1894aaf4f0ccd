import { Button, Group } from '@mantine/core';
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
import { type Shipment, totalOf } from './shipment.ts';

/** Pausing, going on and cancelling, as far as the state of the send and the role allow. */
export function CampaignActions({
  shipment,
  compact = false,
  onChange,
}: {
  readonly shipment: Shipment;
  readonly compact?: boolean;
  /** Gets the send as it is afterwards. */
  readonly onChange: (shipment: Shipment) => void;
}) {
  const texts = useTexts();
  const { campaigns: t } = texts;
  const language = useLanguage();
  const { role } = useSession();
  const queryClient = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [cancelling, setCancelling] = useState(false);
  const { id, state, campaign_name } = shipment;
  const params = { params: { path: { id } } };
  const isOpen = state === 'scheduled' || state === 'running' || state === 'paused';
  if (!atLeast(role, 'sender') || !isOpen) return null;

  async function refresh() {
    await queryClient.invalidateQueries({ queryKey: ['shipments'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/shipments/{id}'] });
    await queryClient.invalidateQueries({ queryKey: ['get', '/v1/wallet'] });
  }

  async function change(what: 'pause' | 'resume') {
    setBusy(true);
    try {
      const { data } = await client.POST(
        what === 'pause' ? '/v1/shipments/{id}/pause' : '/v1/shipments/{id}/resume',
        params,
      );
      onChange(data!);
      notifications.show({ message: what === 'pause' ? t.paused : t.resumed });
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
    const { data } = await client.POST('/v1/shipments/{id}/cancel', params);
    const { cancelled, handed_over } = data!;
    notifications.show({
      message: t.cancelled(cancelled.toLocaleString(language), handed_over.toLocaleString(language)),
    });
    await refresh();
  }

  const name = campaign_name ?? t.noName(id);
  const size = compact ? 'compact-sm' : 'sm';
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {state === 'paused' ? (
        <Button
          size={size}
          variant={compact ? 'light' : 'filled'}
          leftSection={<Play size={15} className="mirrored" aria-hidden />}
          loading={busy}
          aria-label={`${t.resume}: ${name}`}
          onClick={() => void change('resume')}
        >
          {t.resume}
        </Button>
      ) : (
        totalOf(shipment) > 1 && (
          <Button
            size={size}
            variant="default"
            leftSection={<Pause size={15} aria-hidden />}
            loading={busy}
            aria-label={`${t.pause}: ${name}`}
            onClick={() => void change('pause')}
          >
            {t.pause}
          </Button>
        )
      )}
      <Button
        size={size}
        variant={compact ? 'subtle' : 'light'}
        color="red"
        leftSection={<Ban size={15} aria-hidden />}
        aria-label={`${t.cancel}: ${name}`}
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
            <bdi>{name}</bdi>
          </b>
        </p>
        {t.cancelText}
      </Confirm>
    </Group>
  );
}

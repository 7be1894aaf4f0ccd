import { client } from '../../api/client.ts';
import { CampaignActions } from '../../features/campaigns/actions.tsx';
import { type Shipment, totalOf } from '../../features/campaigns/shipment.ts';
import { useTexts } from '../../i18n/texts.tsx';

/** What can be done with a shipment. `onChange` gets it as it is afterwards. */
export function ShipmentActions({
  shipment,
  compact = false,
  onChange,
}: {
  readonly shipment: Shipment;
  readonly compact?: boolean;
  readonly onChange: (shipment: Shipment) => void;
}) {
  const { campaigns: t } = useTexts();
  const { id, campaign_name, state } = shipment;
  const params = { params: { path: { id } } };
  return (
    <CampaignActions
      name={campaign_name ?? t.noName(id)}
      state={state}
      mayPause={totalOf(shipment) > 1}
      compact={compact}
      control={{
        pause: async () => onChange((await client.POST('/v1/shipments/{id}/pause', params)).data!),
        resume: async () => onChange((await client.POST('/v1/shipments/{id}/resume', params)).data!),
        cancel: async () => (await client.POST('/v1/shipments/{id}/cancel', params)).data!,
        stale: ['/v1/shipments', '/v1/shipments/{id}'],
      }}
    />
  );
}

import { useLocation } from 'wouter';
import { client } from '../../api/client.ts';
import { useDone } from '../../components/notify.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

/** Says that a send was accepted, and opens its one message or its campaign. */
export function useSent(): (shipment: string, one: boolean, later: boolean) => Promise<void> {
  const { send: t } = useTexts();
  const done = useDone();
  const [, navigate] = useLocation();
  return async (shipment, one, later) => {
    void done(later ? t.scheduled : t.sent, '/v1/wallet', '/v1/campaigns');
    const message = one ? await firstOf(shipment) : undefined;
    navigate(message === undefined ? `/campaigns/${shipment}` : `/messages/${message}`);
  };
}

async function firstOf(shipment: string): Promise<string | undefined> {
  const data = await client.GET('/v1/messages', {
    query: { shipment_id: shipment, limit: 1 },
  });
  return data.messages[0]?.id;
}

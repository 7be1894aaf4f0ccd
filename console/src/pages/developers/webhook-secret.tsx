import { Button, Group } from '@mantine/core';
import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { byId, client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { Action } from '../../components/action.tsx';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { Fetched } from '../../components/states.tsx';
import { useWebhookTexts } from './webhook-texts.ts';

/** Signing secret of a webhook endpoint, hidden until requested, with an action that replaces it. */
export function WebhookSecret({ id }: { readonly id: string }) {
  const t = useWebhookTexts();
  const done = useDone();
  const refresh = useRefresh();
  const [shown, setShown] = useState(false);
  const { ask } = useDialogs();
  const path = byId(id);
  const query = useAnswer('/v1/webhooks/{id}/secret', path, { enabled: shown, gcTime: 0 });
  const rotate = () =>
    ask({
      title: t.rotateTitle,
      text: t.rotateText,
      action: t.rotate,
      run: async () => {
        await client.POST('/v1/webhooks/{id}/secret', path);
        await refresh('/v1/webhooks/{id}/secret');
        setShown(true);
        await done(t.rotated);
      },
    });
  return (
    <Card
      title={t.secret}
      lead={t.secretText}
      actions={
        <Group gap="xs">
          <Button
            size="xs"
            variant="default"
            leftSection={shown ? <EyeOff size={15} /> : <Eye size={15} />}
            aria-expanded={shown}
            onClick={() => setShown(!shown)}
          >
            {shown ? t.hideSecret : t.showSecret}
          </Button>
          <Action icon={RefreshCw} size="xs" variant="default" onClick={rotate}>
            {t.rotate}
          </Action>
        </Group>
      }
    >
      {shown && (
        <Fetched query={query} lines={1}>
          {({ secret }) => <CodeBlock code={secret ?? ''} label={t.secret} />}
        </Fetched>
      )}
    </Card>
  );
}

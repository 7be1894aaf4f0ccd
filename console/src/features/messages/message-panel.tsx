import { Stack } from '@mantine/core';
import { SidePanel } from '../../components/side-panel.tsx';
import { Fetched } from '../../components/states.tsx';
import type { Opened } from '../../components/use-opened.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { MessageActions } from './message-actions.tsx';
import { MessageLead, MessageView, useMessage } from './message-view.tsx';

type Walk = Pick<Opened<never>, 'key' | 'close' | 'previous' | 'next'>;

/** The open message of a list, in the side panel. */
export function MessagePanel({ opened }: { readonly opened: Walk }) {
  return opened.key === undefined ? null : <Shown id={opened.key} opened={opened} />;
}

function Shown({ id, opened }: { readonly id: string; readonly opened: Walk }) {
  const { messages: t } = useTexts();
  const query = useMessage(id);
  const message = query.data;
  return (
    <SidePanel
      opened={opened}
      title={message ? t.one.title(message.phone) : t.oneTitle}
      id={id}
      json={message}
      link={`/messages/${id}`}
      page={`/messages/${id}`}
      foot={message && <MessageActions message={message} />}
    >
      <Fetched query={query}>
        {(found) => (
          <Stack gap="lg">
            <MessageLead message={found} />
            <MessageView message={found} isNarrow />
          </Stack>
        )}
      </Fetched>
    </SidePanel>
  );
}

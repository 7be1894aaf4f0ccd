import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { Form, fieldsOf, useSubmission } from '../../components/form.tsx';
import { Empty, Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { useChannelName } from '../../features/messages/channels.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

type Known = Answer<'/v1/conversation-senders'>['senders'][number];
/** One that conversations can be begun from with a number. */
type Sender = Known & { readonly channel: 'sms' | 'chat' };
const isSender = (one: Known): one is Sender => one.channel === 'sms' || one.channel === 'chat';

/** Begins a conversation with a client who may never have written. `onBegun` gets its id. */
export function BeginConversation({ onBegun }: { readonly onBegun: (id: string) => void }) {
  const { conversations: t } = useTexts();
  const query = useAnswer('/v1/conversation-senders');
  return (
    <Fetched query={query}>
      {({ senders: all }) => {
        const senders = all.filter(isSender);
        return senders.length === 0 ? (
          <Empty title={t.noSenders} />
        ) : (
          <Begin senders={senders} onBegun={onBegun} />
        );
      }}
    </Fetched>
  );
}

const keyOf = ({ channel, sender }: Sender) => `${channel} ${sender}`;

function Begin({
  senders,
  onBegun,
}: {
  readonly senders: readonly Sender[];
  readonly onBegun: (id: string) => void;
}) {
  const { conversations: t } = useTexts();
  const nameOf = useChannelName();
  const form = useForm({ initialValues: { sender: keyOf(senders[0]!), client: '' } });
  const submission = useSubmission(form, async ({ sender: key, client: number }) => {
    const { channel, sender } = senders.find((one) => keyOf(one) === key)!;
    const data = await client.POST('/v1/conversations', { body: { channel, sender, client: number } });
    onBegun(data.id);
  });
  return (
    <Form submission={submission} action={t.beginAction}>
      <Muted>{t.beginHint}</Muted>
      {fieldsOf(form).text('client', t.beginClient, {
        inputMode: 'tel',
        required: true,
        focus: true,
        maxLength: 30,
      })}
      <Select
        label={t.beginSender}
        allowDeselect={false}
        data={senders.map((one) => ({
          value: keyOf(one),
          label: [nameOf(one.channel), `\u2066${one.sender}\u2069`, one.name].filter(Boolean).join(' · '),
        }))}
        {...form.getInputProps('sender')}
      />
    </Form>
  );
}

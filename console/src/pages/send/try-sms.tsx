import { Autocomplete } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Send } from 'lucide-react';
import { byId, client } from '../../api/client.ts';
import type { RequestBody } from '../../api/operations.ts';
import { Action } from '../../components/action.tsx';
import { useDone } from '../../components/notify.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { readPhones } from './recipients.ts';
import { SendTest } from './send-test.tsx';
import { useComposerTexts } from './use-composer-texts.ts';

type Body = Omit<RequestBody<'/v1/sms'>, 'source' | 'campaign_name'>;

interface Test {
  readonly body: Body;
  readonly source: string;
  /** The list whose fields the text has. */
  readonly list: string | undefined;
  /** Verified numbers of the account. */
  readonly ownNumbers: readonly string[];
  readonly disabled: boolean;
}

/** Sends the message once to a phone of the person who writes it, with the fields of the first contact of its list. */
export function TrySms(test: Test) {
  const { title, lead } = useTexts().send.test;
  return (
    <SendTest title={title} lead={lead}>
      {(close) => <ToPhone {...test} onSent={close} />}
    </SendTest>
  );
}

function ToPhone({
  body,
  source,
  list,
  ownNumbers,
  disabled,
  onSent,
}: Test & { readonly onSent: () => void }) {
  const { send } = useTexts();
  const t = send.test;
  const { testToPhone } = useComposerTexts();
  const done = useDone();
  const [typed, setTyped] = useLocalStorage({ key: 'carillon-test-phone', defaultValue: '' });
  const phone = typed.trim();
  const { phones, bad } = readPhones(phone);
  const { busy, error, run } = useTask(async () => {
    const { message = '', links, removal, tts } = body;
    await client.POST('/v1/sms', {
      body: {
        source,
        message: list === undefined ? message : await filled(message, list),
        links,
        removal,
        tts,
        phones: [phone],
        includes_international: true,
        campaign_name: t.campaign,
      },
    });
    onSent();
    await done(t.sent(phone), '/v1/wallet', '/v1/campaigns');
  });
  return (
    <>
      <Autocomplete
        label={t.phone}
        dir="ltr"
        inputMode="tel"
        data-autofocus
        comboboxProps={{ withinPortal: false }}
        maxLength={25}
        data={[...ownNumbers]}
        value={typed}
        onChange={setTyped}
      />
      <ErrorNote error={error} />
      <Action
        icon={Send}
        mirrored
        disabled={disabled || phones.length !== 1 || bad.length > 0}
        loading={busy}
        onClick={() => void run()}
      >
        {testToPhone}
      </Action>
    </>
  );
}

/** Returns the text with the fields of the first contact of a list. */
async function filled(message: string, list: string): Promise<string> {
  const { contacts } = await client.GET('/v1/contact-lists/{id}/contacts', {
    ...byId(list),
    query: { limit: 1 },
  });
  const fields = contacts[0]?.fields ?? [];
  return message.replace(
    /\[DYNAMIC_FIELD([1-6])\]/g,
    (_, number: string) => fields[Number(number) - 1] ?? '',
  );
}

import { Anchor, Button, Group, List, SegmentedControl, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { Eye, EyeOff, Send } from 'lucide-react';
import { useState } from 'react';
import { CarillonConnectionError } from '../../api/errors.ts';
import { useLive } from '../../api/live.ts';
import type { Answer } from '../../api/operations.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useSession } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { writtenText } from '../../components/direction.ts';
import { Page } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { useTask } from '../../components/task.ts';
import { useExampleToken } from '../../features/credentials/example-token.ts';
import { TokenError } from '../../features/credentials/token-error.tsx';
import { Handset } from '../../features/handset/handset.tsx';
import { AskZone } from '../../features/preferences/ask-zone.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type BodyForm, bodyOf, codeOf, forms, type Program, programs } from './example-request.ts';
import { Steps, type Times } from './steps.tsx';
import './start.css';

type Message = Answer<'/v1/messages'>['messages'][number];

const nothingYet: Times = { acceptedAt: null, submittedAt: null, endedAt: null, failure: null };

/** First steps: an example request that can be sent, next to the phone that receives it. */
export default function Start() {
  const { start: t, tokens } = useTexts();
  const { account } = useSession();
  const example = useExampleToken();
  const token = example.token ?? 'TOKEN';
  const [sms, setSms] = useState({ source: '0559876543', phone: '0501234567', message: t.defaultText });
  const [form, setForm] = useState<BodyForm>('json');
  const [program, setProgram] = useState<Program>('curl');
  const [tokenShown, setTokenShown] = useState(false);
  const address = `${location.origin}/api`;
  const body = bodyOf({ username: account?.username ?? '', ...sms }, form);
  const code = codeOf(program, form, address, token, body);
  const hidden = codeOf(program, form, address, tokenShown ? token : '••••••••', body);

  const { answer, times, busy, error, send } = useSend(example, body, form);

  const field = (name: keyof typeof sms) => ({
    value: sms[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) =>
      setSms({ ...sms, [name]: event.currentTarget.value }),
  });

  return (
    <Page lead={t.lead}>
      <AskZone />
      <div className="start">
        <div className="start-request">
          <Card
            title={t.request}
            actions={
              <TokenSwitch
                shown={tokenShown}
                onClick={() => {
                  setTokenShown(!tokenShown);
                  if (example.token === undefined && example.mayMake) void example.refetch();
                }}
              />
            }
          >
            <form
              onSubmit={(event) => {
                event.preventDefault();
                void send();
              }}
            >
              <Stack>
                <SimpleGrid cols={{ base: 1, xs: 2 }}>
                  <TextInput label={t.phone} dir="ltr" inputMode="tel" {...field('phone')} />
                  <TextInput label={t.sender} dir="ltr" {...field('source')} />
                </SimpleGrid>
                <TextInput label={t.text} {...writtenText} {...field('message')} />
                <Group justify="space-between" gap="xs">
                  <SegmentedControl
                    size="xs"
                    aria-label={t.program}
                    dir="ltr"
                    value={program}
                    onChange={setProgram}
                    data={[...programs]}
                  />
                  <SegmentedControl
                    size="xs"
                    aria-label={t.form}
                    dir="ltr"
                    value={form}
                    onChange={setForm}
                    data={forms.map((value) => ({ value, label: value.toUpperCase() }))}
                  />
                </Group>
                <CodeBlock code={code} shown={hidden} label={t.request} />
                {example.error !== null && <TokenError error={example.error} limit={tokens.tooMany} />}
                <ErrorNote error={error} />
                <div className="start-send">
                  <Button
                    type="submit"
                    size="md"
                    loading={busy}
                    disabled={!example.mayMake}
                    rightSection={<Send size={17} className="mirrored" />}
                  >
                    {t.send}
                  </Button>
                  <Steps times={times} />
                </div>
              </Stack>
            </form>
          </Card>
        </div>
        <div className="start-phone">
          <Handset key={sms.phone} number={/^\+?\d{8,15}$/.test(sms.phone) ? sms.phone : '0501234567'} />
        </div>
        <Rest answer={answer} />
      </div>
    </Page>
  );
}

/** Shows or hides the token in the request. */
function TokenSwitch({ shown, onClick }: { readonly shown: boolean; readonly onClick: () => void }) {
  const { start: t } = useTexts();
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      color="gray"
      leftSection={shown ? <EyeOff size={15} /> : <Eye size={15} />}
      onClick={onClick}
    >
      {shown ? t.hideToken : t.showToken}
    </Button>
  );
}

/** Sends the request, and follows the message that it makes. */
function useSend(example: ReturnType<typeof useExampleToken>, body: string, form: BodyForm) {
  const refresh = useRefresh();
  const [answer, setAnswer] = useState<string>();
  const [shipment, setShipment] = useState<string>();
  const [times, setTimes] = useState(nothingYet);

  useLive(
    { shipments: shipment },
    {
      message(data) {
        const { shipment_id, accepted_at, submitted_at, ended_at, failure } = data as Message;
        if (shipment_id !== shipment) return;
        setTimes({
          acceptedAt: accepted_at,
          submittedAt: submitted_at,
          endedAt: ended_at,
          failure: failure && `${failure.why} ${failure.todo}`,
        });
      },
    },
  );

  const { busy, error, run } = useTask(async () => {
    setAnswer(undefined);
    setShipment(undefined);
    setTimes(nothingYet);
    // The reason of a missing token is displayed next to the request.
    const token = example.token ?? (await example.refetch()).data?.token;
    if (token === undefined) return;
    const response = await fetch('/api', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body,
    }).catch((cause: unknown) => {
      throw new CarillonConnectionError('connection', 'no answer', { operation: 'POST /api', cause });
    });
    const text = await response.text();
    const { shown, status, shipmentId } = readAnswer(text, form);
    setAnswer(shown);
    if (status === 0 && shipmentId) {
      setTimes({ ...nothingYet, acceptedAt: new Date().toISOString() });
      setShipment(shipmentId);
      await refresh('/v1/wallet');
    }
    if (response.status === 401) await example.refetch();
  });
  return { answer, times, busy, error, send: run };
}

/** The answer, and what to do next. */
function Rest({ answer }: { readonly answer: string | undefined }) {
  const { start: t } = useTexts();
  return (
    <Stack gap="lg" className="start-rest">
      {answer !== undefined && (
        <Card title={t.answer}>
          <CodeBlock code={answer} label={t.answer} />
        </Card>
      )}
      <Card title={t.next}>
        <List spacing="xs" size="sm">
          <List.Item>{t.nextFail}</List.Item>
          <List.Item>{t.nextReply}</List.Item>
          <List.Item>
            <Anchor href="/docs/guide" size="sm">
              {t.nextGuides}
            </Anchor>
          </List.Item>
          <List.Item>
            <Anchor href="/docs" size="sm">
              {t.nextDocs}
            </Anchor>
          </List.Item>
        </List>
      </Card>
    </Stack>
  );
}

/** Formatted response of the service, and the values that the page needs from it. */
function readAnswer(
  text: string,
  form: BodyForm,
): { shown: string; status: number; shipmentId: string | undefined } {
  if (form === 'json') {
    const fields = JSON.parse(text) as { status: number; shipment_id?: unknown };
    const { status, shipment_id: id } = fields;
    return {
      shown: JSON.stringify(fields, null, 2),
      status,
      shipmentId: id === undefined ? undefined : String(id),
    };
  }
  const field = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
  const shown = text.replace(/>\s*</g, '>\n<').replace(/\n<(?!\/?[a-z]+>\s*$)(?!\?)/g, '\n  <');
  return { shown, status: Number(field('status')), shipmentId: field('shipment_id') };
}

import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { byId, client } from '../../api/client.ts';
import { Page } from '../../components/page.tsx';
import { Script } from '../../components/script.ts';
import { Scripted } from '../../components/scripted.tsx';
import { Fetched, Loading } from '../../components/states.tsx';
import { TextLink } from '../../components/text.tsx';
import { isOneOf } from '../../components/use-filters.ts';
import { sendAddress } from '../../features/composing/send-address.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChooseChannel, type SendChannel, sendChannels } from './choose-channel.tsx';
import type { Leaving, Start } from './draft.ts';
import { DraftPlace } from './draft-note.tsx';
import { Part } from './part.tsx';

/** Each is fetched when its channel is chosen first. */
const forms = {
  sms: new Script(() => import('./sms-form.tsx')),
  chat: new Script(() => import('./chat-form.tsx')),
  mail: new Script(() => import('./mail-form.tsx')),
  voice: new Script(() => import('./call-form.tsx')),
  code: new Script(() => import('./code-form.tsx')),
} as const;

/** The channel of an address of this page. */
const channelOf = (asked: URLSearchParams): SendChannel => {
  const given = asked.get('channel') ?? '';
  return isOneOf(sendChannels, given) ? given : 'sms';
};

// With the script of the page, not after it. An error is shown when the form is needed.
forms[channelOf(new URLSearchParams(location.search))].fetch().catch(() => {});

const beginnings = ['repeat', 'again', 'to', 'template', 'kind'] as const;

/** Initial values of a composer from the address of the page. */
type Begun = { draftId: string | undefined; lists: readonly string[] } & {
  [name in (typeof beginnings)[number]]?: string | undefined;
};

/**
 * Composes and sends, with the cost and the finishing time before the send. `?draft=` resumes a draft, `?repeat=` starts
 * from a campaign, `?again=` from a message to one recipient, `?to=` and `?list=` set a recipient, `?template=` a mail
 * template, `?kind=` the kind of chat message.
 */
export default function Send() {
  const { send: t } = useTexts();
  const [asked, setAsked] = useSearchParams();
  const [, navigate] = useLocation();
  const leaving: Leaving = useRef(undefined);
  const [reloads, setReloads] = useState(0);
  const [draftPlace, setDraftPlace] = useState<HTMLElement | null>(null);
  // The id that this composer's own saves gave its draft: the address follows, and nothing is opened.
  const own = useRef<{ key: number; wanted: string; id: string | undefined }>({
    key: 0,
    wanted: '',
    id: undefined,
  });
  const chosen = channelOf(asked);
  const draft = asked.get('draft') ?? undefined;
  const begun: Begun = { draftId: draft, lists: asked.getAll('list') };
  for (const name of beginnings) begun[name] = asked.get(name) ?? undefined;
  const wanted = [chosen, reloads, JSON.stringify(begun)].join();
  if (draft !== undefined && draft === own.current.id) own.current.wanted = wanted;
  else if (wanted !== own.current.wanted) own.current = { key: own.current.key + 1, wanted, id: undefined };
  return (
    <Page actions={<div ref={setDraftPlace} />}>
      <DraftPlace value={draftPlace}>
        <div className="compose">
          <Part title={t.channel}>
            <ChooseChannel
              value={chosen}
              onChange={async (value) => {
                if ((await leaving.current?.()) === false) return;
                navigate(sendAddress(value), { replace: true });
              }}
            />
          </Part>
          <Opened
            key={own.current.key}
            channel={chosen}
            begun={begun}
            leaving={leaving}
            onSaved={(id) => {
              own.current.id = id;
              setAsked(
                (before) => {
                  const after = new URLSearchParams(before);
                  if (id !== undefined) after.set('draft', id);
                  return after;
                },
                { replace: true },
              );
            }}
            onReload={() => {
              own.current.id = undefined;
              setReloads(reloads + 1);
            }}
          />
        </div>
      </DraftPlace>
    </Page>
  );
}

/** The composer, rendered when its initial values have loaded. */
function Opened({
  channel,
  begun,
  leaving,
  ...told
}: {
  readonly channel: SendChannel;
  readonly begun: Begun;
  readonly leaving: Leaving;
} & Pick<Start, 'onSaved' | 'onReload'>) {
  const { send: t } = useTexts();
  const [opened] = useState(begun);
  const query = useQuery({
    queryKey: ['compose', opened],
    queryFn: () => startOf(opened),
    // Opening a draft always reads it again, because another person may have saved it in the meantime.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Fetched query={query}>
      {({ draft, request }) => (
        <>
          {opened.repeat !== undefined && draft === undefined && (
            <Alert color="blue" icon={<Copy />} role="note">
              {t.copied} <TextLink href={`/campaigns/${opened.repeat}`}>{t.copiedFrom}</TextLink>
              {toBoth(request) && <p>{t.copiedBoth}</p>}
            </Alert>
          )}
          <Scripted
            key={channel}
            script={forms[channel]}
            props={{ start: { ...(draft && { draft }), ...(request && { request }), ...told }, leaving }}
            fallback={<Loading lines={8} />}
          />
        </>
      )}
    </Fetched>
  );
}

/** Whether a request goes to both single numbers and lists; the composer supports only one of them. */
function toBoth(request: Start['request']): boolean {
  const count = (of: unknown) => (Array.isArray(of) ? of.length : 0);
  return count(request?.phones) > 0 && count(request?.lists) > 0;
}

async function startOf({
  draftId,
  repeat,
  again,
  to,
  template,
  kind,
  lists,
}: Begun): Promise<Pick<Start, 'draft' | 'request'>> {
  if (draftId !== undefined) return { draft: await client.GET('/v1/drafts/{id}', byId(draftId)) };
  if (repeat !== undefined) {
    const data = await client.GET('/v1/campaigns/{id}/request', byId(repeat));
    return { request: data.body as Record<string, unknown> };
  }
  if (again !== undefined) {
    const data = await client.GET('/v1/messages/{id}', byId(again));
    const { channel, source, text, phone } = data;
    if (channel !== 'chat') return { request: { source, message: text ?? '', phones: [phone] } };
    const content = await client.GET('/v1/messages/{id}/content', byId(again));
    return { request: { source, phones: [phone], chat: content!.chat } };
  }
  if (template !== undefined) {
    const data = await client.GET('/v1/mail/templates/{id}', byId(template));
    return { request: { ...data, name: null } };
  }
  if (lists.length > 0) return { request: { lists } };
  if (to === undefined && kind === undefined) return {};
  return { request: { ...(to !== undefined && { phones: [to] }), ...(kind !== undefined && { kind }) } };
}

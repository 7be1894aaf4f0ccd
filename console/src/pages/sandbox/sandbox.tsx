import { Group, Paper, SegmentedControl, SimpleGrid, Stack, Text, UnstyledButton } from '@mantine/core';
import { Inbox, Mail, MessageSquareText, MessagesSquare, Phone as PhoneIcon } from 'lucide-react';
import { useMailbox } from '../../api/mailbox.ts';
import { type Arrival, useArrivals } from '../../api/sandbox-phone.ts';
import { useMay } from '../../api/session-context.ts';
import { Page } from '../../components/page.tsx';
import { SearchField } from '../../components/search-field.tsx';
import { Empty, Fetched, Loading } from '../../components/states.tsx';
import { Muted, TextLink } from '../../components/text.tsx';
import { useFilters } from '../../components/use-filters.ts';
import { Time } from '../../components/values.tsx';
import { Handset } from '../../features/handset/handset.tsx';
import { ReceivedMailCard } from '../../features/mail/received-mail.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { ChosenEndings } from './chosen-endings.tsx';
import { Endings } from './endings.tsx';
import './sandbox.css';

const icons = { sms: MessageSquareText, chat: MessagesSquare, call: PhoneIcon, mail: Mail } as const;
const kinds = ['sms', 'chat', 'call', 'mail'] as const;

/** Everything that the simulated phones and mailboxes receive, live, next to the opened phone or email. */
export default function Sandbox() {
  const { sandbox: t } = useTexts();
  const isOperator = useMay('operator');
  const filters = useFilters(['kind', 'q', 'open']);
  const { kind, q, open } = filters.values;
  const query = useArrivals({ kind, search: q });
  const opened = query.data?.arrivals.find(({ seq }) => String(seq) === open);
  return (
    <Page lead={t.lead} actions={isOperator && <TextLink href="/operator/sandbox">{t.settings}</TextLink>}>
      <Group gap="sm">
        <SearchField label={t.search} value={q} onSearch={(text) => filters.set('q', text)} />
        <SegmentedControl
          aria-label={t.kind}
          value={kind}
          onChange={(value) => filters.set('kind', value)}
          data={[{ value: '', label: t.all }, ...kinds.map((value) => ({ value, label: t.kinds[value] }))]}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" className="arrivals">
        <Paper withBorder>
          <Fetched query={query}>
            {({ arrivals }) =>
              arrivals.length === 0 ? (
                <Empty
                  filters={{ any: q !== '' || kind !== '' }}
                  icon={Inbox}
                  title={t.none}
                  hint={t.noneHint}
                />
              ) : (
                <ul className="plain-list" aria-label={t.title} aria-live="polite">
                  {arrivals.map((arrival) => (
                    <Row
                      key={arrival.seq}
                      arrival={arrival}
                      isOpen={arrival.seq === opened?.seq}
                      onOpen={() => filters.set('open', String(arrival.seq))}
                    />
                  ))}
                </ul>
              )
            }
          </Fetched>
        </Paper>
        <div>
          {opened ? (
            <Opened key={opened.seq} arrival={opened} onClose={() => filters.set('open', '')} />
          ) : (
            <Stack gap="lg">
              <ChosenEndings />
              <Endings />
            </Stack>
          )}
        </div>
      </SimpleGrid>
    </Page>
  );
}

function Row({
  arrival: { kind, to, from, subject, text, at },
  isOpen,
  onOpen,
}: {
  readonly arrival: Arrival;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const { sandbox: t } = useTexts();
  const Icon = icons[kind];
  return (
    <li>
      <UnstyledButton className="arrival" aria-pressed={isOpen} onClick={onOpen}>
        <Icon size={17} aria-label={t.kinds[kind]} role="img" />
        <div>
          <Group justify="space-between" gap="xs" wrap="nowrap">
            <Text size="sm" fw={600} truncate>
              <bdi dir="ltr">{to}</bdi>
            </Text>
            <Muted size="xs" className="nowrap">
              <Time at={at} to="second" />
            </Muted>
          </Group>
          <Text size="sm" lineClamp={2} dir="auto">
            {subject !== null && <b>{subject} </b>}
            {text}
          </Text>
          <Muted size="xs">
            {t.from} <bdi dir="ltr">{from}</bdi>
          </Muted>
        </div>
      </UnstyledButton>
    </li>
  );
}

function Opened({ arrival, onClose }: { readonly arrival: Arrival; readonly onClose: () => void }) {
  return arrival.kind === 'mail' ? (
    <OpenedMail arrival={arrival} />
  ) : (
    <Handset number={arrival.to} onClose={onClose} />
  );
}

function OpenedMail({ arrival: { id, to } }: { readonly arrival: Arrival }) {
  const mail = useMailbox(to).data?.find((one) => one.id === id);
  return mail ? <ReceivedMailCard mail={mail} to={to} /> : <Loading />;
}

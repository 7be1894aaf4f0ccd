import { Alert, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { CircleAlert, Globe, Megaphone } from 'lucide-react';
import { useState } from 'react';
import { CarillonError } from '../api/errors.ts';
import { Brand } from '../components/brand.tsx';
import { Card } from '../components/card.tsx';
import { useDialogs } from '../components/dialogs.tsx';
import { showNotice } from '../components/notices.ts';
import { SidePanel } from '../components/side-panel.tsx';
import { Empty, ErrorNote, Loading } from '../components/states.tsx';
import { useDesignTexts } from './texts.ts';

const nothing = () => {};
const operation = 'POST /v1/sms';
const problems = [
  new CarillonError({ code: 'no-credit', message: 'not enough credit' }, { operation, httpStatus: 402 }),
  new CarillonError({ code: 'http-503', message: 'overloaded' }, { operation, httpStatus: 503 }),
];

export function States() {
  const t = useDesignTexts();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Card title={t.empty}>
        <Empty icon={Megaphone} title={t.none} hint={t.noneHint} action={<Button>{t.primary}</Button>} />
      </Card>
      <Card title={t.empty}>
        <Empty filters={{ any: true }} />
      </Card>
      <Card title={t.loading}>
        <Loading />
      </Card>
      <Card title={t.errors}>
        {problems.map((problem) => (
          <ErrorNote key={problem.code} error={problem} onRetry={nothing} />
        ))}
      </Card>
    </SimpleGrid>
  );
}

export function Notices() {
  const t = useDesignTexts();
  const { ask } = useDialogs();
  return (
    <Card title={t.notices}>
      <Alert color="blue" icon={<Globe />} title={t.notice} role="note">
        {t.nameHint}
      </Alert>
      <Alert color="orange" icon={<CircleAlert />} role="note">
        {t.warning}
      </Alert>
      <Group>
        <Button variant="default" onClick={() => showNotice({ message: t.shown, color: 'teal' })}>
          {t.show}
        </Button>
        <Button
          variant="default"
          onClick={() =>
            ask({ title: t.question, text: t.answer, action: t.dangerous, keep: t.keep, run: async () => {} })
          }
        >
          {t.ask}
        </Button>
      </Group>
    </Card>
  );
}

export function Panel() {
  const t = useDesignTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title={t.panel}>
      <Group>
        <Button variant="default" onClick={() => setOpen(true)}>
          {t.open}
        </Button>
      </Group>
      {isOpen && (
        <SidePanel
          opened={{ close: () => setOpen(false), previous: undefined, next: nothing }}
          title={t.message}
          id="1774337460000002"
          json={{ id: '1774337460000002' }}
          link="/messages/1774337460000002"
          page="/messages/1774337460000002"
          foot={<Button size="xs">{t.primary}</Button>}
        >
          <Text size="sm">{t.answer}</Text>
        </SidePanel>
      )}
    </Card>
  );
}

export function Bells() {
  const t = useDesignTexts();
  const [ringing, setRinging] = useState(false);
  return (
    <Card title={t.bell}>
      <Group gap="xl">
        <Brand ringing={ringing} onRung={() => setRinging(false)}>
          <Text size="xs">{t.live}</Text>
        </Brand>
        <Brand behind>
          <Text size="xs">{t.behind}</Text>
        </Brand>
        <Button variant="default" size="xs" onClick={() => setRinging(true)}>
          {t.swing}
        </Button>
      </Group>
    </Card>
  );
}

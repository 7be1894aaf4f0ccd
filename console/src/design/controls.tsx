import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Action } from '../components/action.tsx';
import { ActionMenu } from '../components/action-menu.tsx';
import { Card } from '../components/card.tsx';
import { ChoiceField } from '../components/choice-field.tsx';
import { DateTimeInput } from '../components/date-time-input.tsx';
import { writtenText } from '../components/direction.ts';
import { PasswordField } from '../components/password-field.tsx';
import { RemoveButton } from '../components/remove-button.tsx';
import { RowButton } from '../components/row-button.tsx';
import { SearchField } from '../components/search-field.tsx';
import { TextLink } from '../components/text.tsx';
import { useDesignTexts } from './texts.ts';

const nothing = () => {};

export function Buttons() {
  const t = useDesignTexts();
  return (
    <Card title={t.buttons}>
      {(['xs', 'sm', 'md'] as const).map((size) => (
        <Group key={size}>
          <Button size={size}>{t.primary}</Button>
          <Button size={size} variant="default">
            {t.secondary}
          </Button>
          <Button size={size} variant="light" color="red">
            {t.dangerous}
          </Button>
          <Button size={size} color="red">
            {t.dangerous}
          </Button>
          <Button size={size} variant="subtle">
            {t.quiet}
          </Button>
          <Button size={size} disabled>
            {t.disabled}
          </Button>
          <Button size={size} loading>
            {t.busy}
          </Button>
        </Group>
      ))}
      <Group>
        <Action icon={Plus}>{t.add}</Action>
        <RowButton of={t.written} onClick={nothing}>
          {t.quiet}
        </RowButton>
        <RemoveButton label={t.remove} onClick={nothing} />
        <ActionMenu
          label={t.menu}
          framed
          entries={[
            { icon: Pencil, label: t.rename, onClick: nothing },
            'divider',
            { icon: Trash2, label: t.remove, danger: true, onClick: nothing },
          ]}
        />
        <TextLink href="/console/design">{t.quiet}</TextLink>
      </Group>
    </Card>
  );
}

export function Fields() {
  const t = useDesignTexts();
  const [channel, setChannel] = useState('sms');
  const [at, setAt] = useState('2036-12-31T08:00:00.000Z');
  return (
    <Card title={t.fields}>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <TextInput label={t.name} description={t.nameHint} placeholder={t.written} {...writtenText} />
        <TextInput label={t.name} error={t.wrong} defaultValue={t.written} {...writtenText} />
        <TextInput label={t.name} disabled defaultValue={t.written} {...writtenText} />
        <Textarea label={t.text} autosize minRows={2} defaultValue={t.answer} {...writtenText} />
        <Select label={t.channel} data={[t.one, t.other]} defaultValue={t.one} />
        <Select label={t.channel} data={[t.one, t.other]} error={t.wrong} clearable />
        <NumberInput label={t.recipients} defaultValue={1204} min={0} dir="ltr" />
        <PasswordField label={t.password} defaultValue="not a secret" autoComplete="off" />
        <SearchField label={t.search} onSearch={nothing} />
        <DateTimeInput label={t.starts} value={at} onChange={setAt} />
        <ChoiceField
          label={t.channel}
          hint={t.nameHint}
          choices={{ sms: t.one, mail: t.other }}
          value={channel}
          onChange={setChannel}
        />
        <Stack gap="xs">
          <Checkbox label={t.check} defaultChecked />
          <Checkbox label={t.disabled} disabled />
          <Switch label={t.toggle} defaultChecked />
          <Switch label={t.disabled} disabled />
        </Stack>
      </SimpleGrid>
    </Card>
  );
}

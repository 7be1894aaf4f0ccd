import { Combobox, Group, PillsInput, useCombobox } from '@mantine/core';
import { Check } from 'lucide-react';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { type Conversation, LABELS, useConversationLabels } from '../../api/conversation-queries.ts';
import { useRefresh } from '../../api/refresh.ts';
import { useMay } from '../../api/session-context.ts';
import { writtenText } from '../../components/direction.ts';
import { useAttempt } from '../../components/notify.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { LabelBadge } from './names.tsx';

const NEW = ' new';
const MAX_NAME = 40;
const colors = ['blue', 'green', 'orange', 'violet', 'teal', 'red', 'yellow', 'gray'] as const;

/** Labels of a conversation, and the available ones. Typing a new name creates a label if the role permits it. */
export function Labels({
  conversation: { label_ids: chosen },
  onChange,
}: {
  readonly conversation: Conversation;
  readonly onChange: (changes: { label_ids: string[] }) => Promise<boolean>;
}) {
  const { conversations: t } = useTexts();
  const all = useConversationLabels();
  const mayCreate = useMay('sender');
  const refresh = useRefresh();
  const attempt = useAttempt();
  const [search, setSearch] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => setSearch('') });
  const wanted = search.trim();
  const found = all.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()));
  const isKnown = all.some(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const has = (id: string) => chosen.includes(id);

  async function choose(value: string) {
    let id = value;
    if (value === NEW) {
      const isCreated = await attempt(async () => {
        const color = colors[all.length % colors.length]!;
        const data = await client.POST(LABELS, { body: { name: wanted, color } });
        id = data.id;
        await refresh(LABELS);
      });
      if (!isCreated) return;
    }
    setSearch('');
    await onChange({ label_ids: has(id) ? chosen.filter((one) => one !== id) : [...chosen, id] });
  }

  return (
    <Combobox store={combobox} onOptionSubmit={(value) => void choose(value)}>
      <Combobox.DropdownTarget>
        <PillsInput size="xs" label={t.labels} onClick={() => combobox.openDropdown()}>
          <Group gap={4}>
            {all
              .filter(({ id }) => has(id))
              .map((label) => (
                <LabelBadge key={label.id} label={label} />
              ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                {...writtenText.attributes.input}
                aria-label={mayCreate ? t.findLabel : t.changeLabels}
                placeholder={chosen.length === 0 ? t.noLabels : ''}
                maxLength={MAX_NAME}
                value={search}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onChange={(event) => {
                  setSearch(event.currentTarget.value);
                  combobox.openDropdown();
                  combobox.updateSelectedOptionIndex();
                }}
              />
            </Combobox.EventsTarget>
          </Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={t.labels} className="label-options">
          {found.map((label) => (
            <Combobox.Option key={label.id} value={label.id} active={has(label.id)}>
              <Group gap="xs" justify="space-between" wrap="nowrap">
                <LabelBadge label={label} />
                {has(label.id) && <Check size={14} role="img" aria-label={t.removeLabel(label.name)} />}
              </Group>
            </Combobox.Option>
          ))}
          {mayCreate && wanted !== '' && !isKnown && (
            <Combobox.Option value={NEW}>{t.createLabel(wanted)}</Combobox.Option>
          )}
          {found.length === 0 && (wanted === '' || !mayCreate) && (
            <Combobox.Empty>{t.noLabels}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

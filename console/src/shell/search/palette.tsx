import { Combobox, Group, Modal, Text, TextInput, useCombobox, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { writtenText } from '../../components/direction.ts';
import { Muted } from '../../components/text.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type Command, useCommands } from './commands.ts';
import { useLookups } from './lookups.ts';
import { matching } from './matching.ts';

const PAUSE_MS = 200;
/** Maximum results of one kind. */
const MAX_SHOWN = 6;

/** Global search for pages, objects and actions, usable with the keyboard alone. */
export default function Palette({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { command: t } = useTexts().shell;
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      centered={false}
      yOffset="10dvh"
      size={620}
      padding={0}
      attributes={{ content: { 'aria-label': t.label } }}
    >
      <Choice onClose={onClose} />
    </Modal>
  );
}

/** Input and results of the search. Starts empty each time it opens. */
function Choice({ onClose }: { readonly onClose: () => void }) {
  const { command: t } = useTexts().shell;
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState('');
  const looked = typed.trim();
  const [asked] = useDebouncedValue(looked, PAUSE_MS);
  const { found, searching, incomplete } = useLookups(asked, true);
  const shown = byKind([...matching(useCommands(), looked), ...(looked === '' ? [] : found)]);
  const all = shown.flatMap(([, commands]) => commands);
  const combobox = useCombobox({ opened: true, onOpenedChange: (stays) => !stays && onClose() });
  const first = all[0]?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: selects the first option again when the results change
  useEffect(() => {
    combobox.selectFirstOption();
  }, [looked, first]);
  function choose(key: string) {
    const command = all.find((one) => one.key === key);
    if (!command) return;
    onClose();
    command.run?.();
    if (command.href !== undefined) navigate(command.href);
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          size="lg"
          variant="unstyled"
          className="palette-input"
          data-autofocus
          aria-label={t.label}
          placeholder={t.hint}
          leftSection={<Search size={19} aria-hidden />}
          value={typed}
          maxLength={255}
          {...writtenText}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options aria-label={t.results} className="palette-options">
        {shown.map(([kind, commands]) => (
          <Combobox.Group key={kind} label={t.kinds[kind]}>
            {commands.map((command) => (
              <Option key={command.key} command={command} />
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      <div role="status">
        {all.length > 0 ? (
          <VisuallyHidden>{searching ? t.searching : t.found(all.length)}</VisuallyHidden>
        ) : (
          <div className="palette-note">
            <Text fw={600} size="sm">
              {searching || asked !== looked ? t.searching : t.none}
            </Text>
            <Muted>{t.noneHint}</Muted>
          </div>
        )}
        {incomplete && <Muted className="palette-note">{t.incomplete}</Muted>}
      </div>
      <Muted size="xs" className="palette-keys">
        {t.keys}
      </Muted>
    </Combobox>
  );
}

function Option({ command: { key, title, note, icon: Icon } }: { readonly command: Command }) {
  return (
    <Combobox.Option value={key}>
      <Group gap="sm" wrap="nowrap">
        <Icon size={17} aria-hidden />
        <Text size="sm" truncate flex={1}>
          <bdi>{title}</bdi>
        </Text>
        {note !== undefined && (
          <Muted size="xs">
            <bdi>{note}</bdi>
          </Muted>
        )}
      </Group>
    </Combobox.Option>
  );
}

/** Groups results by kind, at most MAX_SHOWN of each, in order of the first result. */
function byKind(commands: readonly Command[]) {
  return [...Map.groupBy(commands, ({ kind }) => kind)].map(
    ([kind, some]) => [kind, some.slice(0, MAX_SHOWN)] as const,
  );
}

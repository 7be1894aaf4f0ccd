import { ActionIcon, Group, Menu, SimpleGrid, Text } from '@mantine/core';
import {
  ArrowDown,
  ArrowUp,
  Columns2,
  Copy,
  Heading as HeadingIcon,
  Image,
  LetterText,
  type LucideIcon,
  Minus,
  MousePointerClick,
  PanelBottom,
  Plus,
  Trash2,
  UnfoldVertical,
} from 'lucide-react';
import { useState } from 'react';
import { Action } from '../../../components/action.tsx';
import { Muted } from '../../../components/text.tsx';
import { useTexts } from '../../../i18n/use-texts.tsx';
import { BlockForm, type MailLook } from './block-form.tsx';
import {
  type Block,
  type Columns,
  copyOf,
  type Kind,
  kinds,
  type Leaf,
  leafKinds,
  newBlock,
} from './design.ts';

const icons: Readonly<Record<Kind, LucideIcon>> = {
  heading: HeadingIcon,
  text: LetterText,
  image: Image,
  button: MousePointerClick,
  divider: Minus,
  spacer: UnfoldVertical,
  footer: PanelBottom,
  columns: Columns2,
};

/** Blocks of a mail or of a column: changed, moved, copied, deleted and added. */
export function BlockList({
  label,
  blocks,
  onChange,
  mail,
  withColumns = false,
}: {
  readonly label: string;
  readonly blocks: readonly Block[];
  readonly onChange: (blocks: readonly Block[]) => void;
  readonly mail: MailLook;
  /** Whether columns can be added; a column cannot contain columns. */
  readonly withColumns?: boolean;
}) {
  const { mailEditor: t } = useTexts();
  const [opened, setOpened] = useState<string>();
  function add(kind: Kind) {
    const block = newBlock(kind, mail.direction);
    onChange([...blocks, block]);
    setOpened(block.id);
  }
  return (
    <section aria-label={label} className="mail-block-list">
      {blocks.length === 0 && <Muted>{t.noBlocks}</Muted>}
      {blocks.length > 0 && (
        <ol className="mail-block-rows">
          {blocks.map((block, index) => (
            <li
              key={block.id}
              className="mail-block"
              aria-label={t.block(t.kinds[block.type], index + 1)}
              onFocus={() => setOpened(block.id)}
            >
              <Head
                block={block}
                index={index}
                count={blocks.length}
                onMove={(by) => onChange(moved(blocks, index, by))}
                onCopy={() => onChange(blocks.toSpliced(index + 1, 0, copyOf(block)))}
                onDelete={() => onChange(blocks.toSpliced(index, 1))}
              />
              {block.type === 'columns' ? (
                <TwoColumns
                  block={block}
                  onChange={(changed) => onChange(blocks.with(index, changed))}
                  mail={mail}
                />
              ) : (
                <BlockForm
                  block={block}
                  isOpen={opened === block.id}
                  onOpen={() => setOpened(block.id)}
                  onChange={(changed) => onChange(blocks.with(index, changed))}
                  mail={mail}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      <Menu position="bottom-start" width={220}>
        <Menu.Target>
          <Action icon={Plus} size="xs" variant="light">
            {t.add}
          </Action>
        </Menu.Target>
        <Menu.Dropdown>
          {(withColumns ? kinds : leafKinds).map((kind) => {
            const Icon = icons[kind];
            return (
              <Menu.Item key={kind} leftSection={<Icon size={16} aria-hidden />} onClick={() => add(kind)}>
                {t.kinds[kind]}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
    </section>
  );
}

/** Two lists of blocks side by side, in the order of the direction of the mail. */
function TwoColumns({
  block,
  onChange,
  mail,
}: {
  readonly block: Extract<Block, Columns>;
  readonly onChange: (block: Block) => void;
  readonly mail: MailLook;
}) {
  const { mailEditor: t } = useTexts();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" dir={mail.direction}>
      {block.columns.map((leaves, index) => (
        <BlockList
          // biome-ignore lint/suspicious/noArrayIndexKey: there are always two columns, in a fixed order
          key={index}
          label={t.column(index + 1)}
          blocks={leaves}
          mail={mail}
          onChange={(changed) => {
            const columns = block.columns.with(index, changed as readonly Leaf[]);
            onChange({ ...block, columns: [columns[0]!, columns[1]!] });
          }}
        />
      ))}
    </SimpleGrid>
  );
}

/** Type of a block and its actions. */
function Head({
  block: { type },
  index,
  count,
  onMove,
  onCopy,
  onDelete,
}: {
  readonly block: Block;
  readonly index: number;
  readonly count: number;
  readonly onMove: (by: -1 | 1) => void;
  readonly onCopy: () => void;
  readonly onDelete: () => void;
}) {
  const { mailEditor: t } = useTexts();
  const Icon = icons[type];
  const name = t.block(t.kinds[type], index + 1);
  const button = (Sign: LucideIcon, label: string, onClick: () => void, disabled = false) => (
    <ActionIcon
      size="sm"
      variant="subtle"
      color="gray"
      aria-label={`${label}: ${name}`}
      title={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Sign size={15} aria-hidden />
    </ActionIcon>
  );
  return (
    <Group justify="space-between" gap={4} wrap="nowrap" className="mail-block-head">
      <Group gap={6} wrap="nowrap">
        <Icon size={14} aria-hidden />
        <Text size="xs">{t.kinds[type]}</Text>
      </Group>
      <Group gap={2} wrap="nowrap">
        {button(ArrowUp, t.up, () => onMove(-1), index === 0)}
        {button(ArrowDown, t.down, () => onMove(1), index === count - 1)}
        {button(Copy, t.copy, onCopy)}
        {button(Trash2, t.remove, onDelete)}
      </Group>
    </Group>
  );
}

function moved(blocks: readonly Block[], index: number, by: -1 | 1): readonly Block[] {
  return blocks.with(index, blocks[index + by]!).with(index + by, blocks[index]!);
}

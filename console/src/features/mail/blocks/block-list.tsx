import { Group, Menu, SimpleGrid, Text } from '@mantine/core';
import {
  Columns2,
  Copy,
  GripVertical,
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
import { type RefObject, useState } from 'react';
import { Action } from '../../../components/action.tsx';
import { Muted } from '../../../components/text.tsx';
import { useTexts } from '../../../i18n/use-texts.tsx';
import { BlockForm, type MailLook } from './block-form.tsx';
import { BlockButton, MoveButtons } from './block-moves.tsx';
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
import { columnList, MAIN_LIST } from './move-block.ts';
import { useBlockDrag, useListDrop } from './use-block-drag.ts';

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
  list,
  blocks,
  onChange,
  mail,
}: {
  readonly label: string;
  /** Name of the list (move-block.ts). A column cannot contain columns. */
  readonly list: string;
  readonly blocks: readonly Block[];
  readonly onChange: (blocks: readonly Block[]) => void;
  readonly mail: MailLook;
}) {
  const { mailEditor: t } = useTexts();
  const { area, isOver } = useListDrop(list);
  const [opened, setOpened] = useState<string>();
  function add(kind: Kind) {
    const block = newBlock(kind, mail.direction);
    onChange([...blocks, block]);
    setOpened(block.id);
  }
  return (
    <section ref={area} aria-label={label} className="mail-block-list" data-over={isOver || undefined}>
      {blocks.length === 0 && <Muted>{t.noBlocks}</Muted>}
      {blocks.length > 0 && (
        <ol className="mail-block-rows">
          {blocks.map((block, index) => (
            <Row
              key={block.id}
              block={block}
              index={index}
              blocks={blocks}
              list={list}
              mail={mail}
              isOpen={opened === block.id}
              onOpen={() => setOpened(block.id)}
              onChange={onChange}
            />
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
          {(list === MAIN_LIST ? kinds : leafKinds).map((kind) => {
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

/** A block with its head, which drags it, and its form. */
function Row({
  block,
  index,
  blocks,
  list,
  mail,
  isOpen,
  onOpen,
  onChange,
}: {
  readonly block: Block;
  readonly index: number;
  readonly blocks: readonly Block[];
  readonly list: string;
  readonly mail: MailLook;
  /** Whether its settings are shown. */
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onChange: (blocks: readonly Block[]) => void;
}) {
  const { mailEditor: t } = useTexts();
  const { row, head, edge } = useBlockDrag(block, list, blocks[index + 1]?.id);
  const change = (changed: Block) => onChange(blocks.with(index, changed));
  return (
    <li
      ref={row}
      className="mail-block"
      data-edge={edge}
      aria-label={t.block(t.kinds[block.type], index + 1)}
      onFocus={onOpen}
    >
      <Head
        handle={head}
        block={block}
        index={index}
        list={list}
        siblings={blocks}
        onCopy={() => onChange(blocks.toSpliced(index + 1, 0, copyOf(block)))}
        onDelete={() => onChange(blocks.toSpliced(index, 1))}
      />
      {block.type === 'columns' ? (
        <TwoColumns block={block} onChange={change} mail={mail} />
      ) : (
        <BlockForm block={block} isOpen={isOpen} onOpen={onOpen} onChange={change} mail={mail} />
      )}
    </li>
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
          list={columnList(block.id, index)}
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
  handle,
  block,
  index,
  list,
  siblings,
  onCopy,
  onDelete,
}: {
  readonly handle: RefObject<HTMLDivElement | null>;
  readonly block: Block;
  readonly index: number;
  readonly list: string;
  readonly siblings: readonly Block[];
  readonly onCopy: () => void;
  readonly onDelete: () => void;
}) {
  const { mailEditor: t } = useTexts();
  const kind = t.kinds[block.type];
  const Icon = icons[block.type];
  const name = t.block(kind, index + 1);
  return (
    <Group ref={handle} justify="space-between" gap={4} wrap="nowrap" className="mail-block-head">
      <Group gap={6} wrap="nowrap" title={t.drag}>
        <GripVertical size={14} aria-hidden className="mail-block-grip" />
        <Icon size={14} aria-hidden />
        <Text size="xs">{kind}</Text>
      </Group>
      <Group gap={2} wrap="nowrap">
        <MoveButtons block={block} name={name} list={list} siblings={siblings} />
        <BlockButton icon={Copy} label={t.copy} of={name} onClick={onCopy} />
        <BlockButton icon={Trash2} label={t.remove} of={name} onClick={onDelete} />
      </Group>
    </Group>
  );
}

import { ActionIcon, Menu, VisuallyHidden } from '@mantine/core';
import { ArrowDown, ArrowLeftRight, ArrowUp, type LucideIcon } from 'lucide-react';
import {
  type ComponentPropsWithRef,
  createContext,
  type ReactNode,
  useContext,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTexts } from '../../../i18n/use-texts.tsx';
import type { Block } from './design.ts';
import { moveBlock, type Place, positionOf, targetsOf } from './move-block.ts';

/** Buttons that move a block. */
type MoveButton = 'up' | 'down' | 'columns';

interface BlockMoves {
  /** Blocks of the email. */
  readonly blocks: readonly Block[];
  /** Moves a block by one of its buttons, which keeps the focus. */
  move(block: Block, place: Place, by: MoveButton): void;
}

const Moves = createContext<BlockMoves | undefined>(undefined);

/**
 * Lets the buttons of blocks move them. The new place is announced, and the focus follows the block: in another list it has new
 * elements, and in its own it loses the focus when its elements are moved.
 */
export function MovableBlocks({
  blocks,
  onChange,
  children,
}: {
  readonly blocks: readonly Block[];
  readonly onChange: (blocks: readonly Block[]) => void;
  readonly children: ReactNode;
}) {
  const { mailEditor: t } = useTexts();
  const area = useRef<HTMLDivElement>(null);
  const moved = useRef<{ readonly id: string; readonly by: MoveButton; readonly before: readonly Block[] }>(
    null,
  );
  const [announcement, setAnnouncement] = useState('');
  useLayoutEffect(() => {
    if (moved.current === null || moved.current.before === blocks) return;
    const { id, by } = moved.current;
    moved.current = null;
    focusButton(area.current!, id, by);
  }, [blocks]);
  function move({ id, type }: Block, place: Place, by: MoveButton) {
    const changed = moveBlock(blocks, id, place);
    if (changed === blocks) return;
    const { index, column } = positionOf(changed, id)!;
    const kind = t.kinds[type];
    moved.current = { id, by, before: blocks };
    setAnnouncement(
      column === null
        ? t.moved(kind, index + 1)
        : t.movedIntoColumn(kind, { column: column.index + 1, of: column.block + 1, position: index + 1 }),
    );
    onChange(changed);
  }
  return (
    <Moves value={{ blocks, move }}>
      <div ref={area}>{children}</div>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
    </Moves>
  );
}

/** Focuses a button of a block, or another one that moves it: the first block of a list cannot go up. */
function focusButton(area: HTMLElement, id: string, by: MoveButton): void {
  const enabled = [...area.querySelectorAll<HTMLButtonElement>('button[data-moves]:enabled')].filter(
    ({ dataset }) => dataset.moves === id,
  );
  (enabled.find(({ dataset }) => dataset.by === by) ?? enabled[0])?.focus();
}

/** Buttons that move a block up and down in its list, and a menu that moves it to another one. */
export function MoveButtons({
  block,
  name,
  list,
  siblings,
}: {
  readonly block: Block;
  readonly name: string;
  /** Name of its list (move-block.ts). */
  readonly list: string;
  /** Blocks of its list. */
  readonly siblings: readonly Block[];
}) {
  const { mailEditor: t } = useTexts();
  const { blocks, move } = useContext(Moves)!;
  const index = siblings.indexOf(block);
  const targets = targetsOf(blocks, block.id);
  const button = (
    by: MoveButton,
    icon: LucideIcon,
    label: string,
    onClick?: () => void,
    disabled = false,
  ) => (
    <BlockButton
      icon={icon}
      label={label}
      of={name}
      disabled={disabled}
      data-moves={block.id}
      data-by={by}
      onClick={onClick}
    />
  );
  return (
    <>
      {button(
        'up',
        ArrowUp,
        t.up,
        () => move(block, { list, before: siblings[index - 1]!.id }, 'up'),
        index === 0,
      )}
      {button(
        'down',
        ArrowDown,
        t.down,
        () => move(block, { list, before: siblings[index + 2]?.id ?? null }, 'down'),
        index === siblings.length - 1,
      )}
      {targets.length > 0 && (
        <Menu position="bottom-end" width={220}>
          <Menu.Target>{button('columns', ArrowLeftRight, t.columns)}</Menu.Target>
          <Menu.Dropdown>
            {targets.map(({ place, column }) => (
              <Menu.Item key={place.list} onClick={() => move(block, place, 'columns')}>
                {column === null ? t.outOfColumns : t.intoColumn(column.index + 1, column.block + 1)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

/** A button in the head of a block. */
export function BlockButton({
  icon: Icon,
  label,
  of,
  ...button
}: Omit<ComponentPropsWithRef<'button'>, 'color'> & {
  readonly icon: LucideIcon;
  readonly label: string;
  /** Name of the block. */
  readonly of: string;
}) {
  return (
    <ActionIcon
      {...button}
      size="sm"
      variant="subtle"
      color="gray"
      aria-label={`${label}: ${of}`}
      title={label}
    >
      <Icon size={15} aria-hidden />
    </ActionIcon>
  );
}

import { ColorInput, Group, Input, SegmentedControl } from '@mantine/core';
import { LayoutTemplate } from 'lucide-react';
import { useMemo } from 'react';
import { useAnswer } from '../../../api/queries.ts';
import { Action } from '../../../components/action.tsx';
import { hintBelow } from '../../../components/form.tsx';
import { useLanguage, useTexts } from '../../../i18n/use-texts.tsx';
import type { MailWords } from '../mail-words.ts';
import { BlockList } from './block-list.tsx';
import { MovableBlocks } from './block-moves.tsx';
import { type Block, brandedBlocks, type Design, type Direction, emptyDesign, readDesign } from './design.ts';
import { MAIN_LIST } from './move-block.ts';
import { htmlOf, textOf } from './render.ts';
import { useBlockDrop } from './use-block-drag.ts';
import './blocks.css';

const SWATCHES = ['#0b7285', '#1c7ed6', '#6741d9', '#c2255c', '#d9480f', '#2b8a3e', '#1f2933'];

/**
 * Edits an email as a list of blocks. Each change reports the blocks with the HTML and the plain text generated from them.
 *
 * @param blocks stored blocks; null for a new email
 * @param columns names of further fields that the recipients have
 */
export function BlockEditor({
  blocks,
  onChange,
  columns,
  error,
}: {
  readonly blocks: MailWords['blocks'];
  readonly onChange: (changes: Pick<MailWords, 'html' | 'text' | 'blocks'>) => void;
  readonly columns: readonly string[];
  readonly error: string | undefined;
}) {
  const { mailEditor: t } = useTexts();
  const language = useLanguage();
  const design = useMemo(
    () => (blocks === null ? emptyDesign(language === 'he' ? 'rtl' : 'ltr') : readDesign(blocks)),
    [blocks, language],
  );
  const change = (changes: Partial<Design>) => {
    const changed = { ...design, ...changes };
    onChange({ html: htmlOf(changed), text: textOf(changed), blocks: { ...changed } });
  };
  const changeBlocks = (changed: readonly Block[]) => change({ blocks: changed });
  useBlockDrop(design.blocks, changeBlocks);
  return (
    <div className="mail-blocks">
      <Group gap="md" align="flex-end">
        <Input.Wrapper label={t.direction} labelElement="div">
          <div>
            <SegmentedControl
              size="xs"
              aria-label={t.direction}
              value={design.direction}
              onChange={(direction) => change({ direction })}
              data={(['ltr', 'rtl'] as const).map((value) => ({ value, label: t.directions[value] }))}
            />
          </div>
        </Input.Wrapper>
        <ColorInput
          label={t.color}
          {...hintBelow}
          size="xs"
          w={150}
          dir="ltr"
          format="hex"
          // The button of the eye dropper has no accessible name.
          withEyeDropper={false}
          swatches={SWATCHES}
          swatchesPerRow={7}
          value={design.color}
          onChange={(color) => {
            if (/^#[0-9a-f]{6}$/i.test(color)) change({ color });
          }}
        />
      </Group>
      {design.blocks.length === 0 && <Branded direction={design.direction} onStart={changeBlocks} />}
      <MovableBlocks blocks={design.blocks} onChange={changeBlocks}>
        <BlockList
          label={t.blocks}
          list={MAIN_LIST}
          blocks={design.blocks}
          onChange={changeBlocks}
          mail={{ direction: design.direction, color: design.color, columns }}
        />
      </MovableBlocks>
      {error !== undefined && <Input.Error role="alert">{error}</Input.Error>}
    </div>
  );
}

/** Begins an email with the header and the footer of the account. */
function Branded({
  direction,
  onStart,
}: {
  readonly direction: Direction;
  readonly onStart: (blocks: readonly Block[]) => void;
}) {
  const { mailEditor: t } = useTexts();
  const { data: account } = useAnswer('/v1/account');
  if (!account) return null;
  return (
    <div>
      <Action
        icon={LayoutTemplate}
        variant="default"
        size="xs"
        onClick={() => onStart(brandedBlocks(account, direction))}
      >
        {t.branded}
      </Action>
    </div>
  );
}

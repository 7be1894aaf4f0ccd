import { ActionIcon, Menu, Popover, SimpleGrid, UnstyledButton } from '@mantine/core';
import { EllipsisVertical, GalleryHorizontal, LayoutTemplate, Smile, SquareMousePointer } from 'lucide-react';
import { useState } from 'react';
import { useDialogs } from '../../components/dialogs.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';
import type { OpenConversation } from './conversation.ts';
import { ButtonsReply, CarouselReply, TemplateReply } from './more-replies.tsx';
import { useEnterSends } from './preferences.ts';

/** Emoji that are frequent in replies to clients. */
const emoji = [...'🙂😀😂😊😍😉😎🤗🤔😅😢😔🙏👍👌👏💪🤝❤🎉⭐🔥✅❌⚠📦🚚💳🧾📅⏰📍📞💬🛒🎁'];

/** Inserts an emoji at the cursor. */
export function EmojiPicker({ onInsert }: { readonly onInsert: (emoji: string) => void }) {
  const { conversations: t } = useTexts();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="top-start" trapFocus withArrow>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t.emoji}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        >
          <Smile size={19} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <SimpleGrid cols={6} spacing={2}>
          {emoji.map((one) => (
            <UnstyledButton
              key={one}
              className="emoji"
              onClick={() => {
                setOpened(false);
                onInsert(one);
              }}
            >
              {one}
            </UnstyledButton>
          ))}
        </SimpleGrid>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Functions that open the dialogs for replies other than text. */
export function useReplyDialogs(conversation: OpenConversation, onSent: () => void) {
  const { conversations: t } = useTexts();
  const { open } = useDialogs();
  const props = { conversation, onSent };
  return {
    template: () => open(t.chooseTemplate, <TemplateReply {...props} />, { size: 'lg' }),
    buttons: () => open(t.buttons, <ButtonsReply {...props} />, { size: 'lg' }),
    carousel: () => open(t.carousel, <CarouselReply {...props} />, { size: 'lg' }),
  };
}

const icons = { template: LayoutTemplate, buttons: SquareMousePointer, carousel: GalleryHorizontal };

/** Other kinds of replies that can be sent now, and whether Enter sends. */
export function MoreMenu({
  conversation,
  onSent,
}: {
  readonly conversation: OpenConversation;
  readonly onSent: () => void;
}) {
  const { conversations: t } = useTexts();
  const dialogs = useReplyDialogs(conversation, onSent);
  const [enterSends, setEnterSends] = useEnterSends();
  const kinds = (['template', 'buttons', 'carousel'] as const).filter((kind) =>
    conversation.replies.kinds.includes(kind),
  );
  return (
    <Menu position="top-start" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t.more}>
          <EllipsisVertical size={19} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => {
          const Icon = icons[kind];
          return (
            <Menu.Item key={kind} leftSection={<Icon size={16} aria-hidden />} onClick={dialogs[kind]}>
              {t[kind]}
            </Menu.Item>
          );
        })}
        {kinds.length > 0 && <Menu.Divider />}
        <Menu.CheckboxItem checked={enterSends} onChange={setEnterSends}>
          {t.enterSends}
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  );
}

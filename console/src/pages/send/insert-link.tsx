import { Button, Popover, Stack, TextInput } from '@mantine/core';
import { Link2 } from 'lucide-react';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { useTexts } from '../../i18n/use-texts.tsx';

/** A link of a text. */
export interface InsertedLink {
  readonly id: string;
  readonly url: string;
}

/** The place of a link in a text, as the service knows it. */
export const linkOf = (id: string): string => `[link-${id}]`;

const MAX_LINKS = 20;

/** Asks for an address, and puts a short link to it into the text. */
export function InsertLink({
  links,
  onInsert,
}: {
  readonly links: readonly InsertedLink[];
  readonly onInsert: (link: InsertedLink) => void;
}) {
  const { send: t } = useTexts();
  const [opened, setOpened] = useState(false);
  const [url, setUrl] = useState('https://');
  const [error, setError] = useState<string>();

  function insert() {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      setError(t.badLink);
      return;
    }
    const numbers = links.map(({ id }) => Number(id));
    onInsert({ id: String(Math.max(0, ...numbers) + 1), url });
    setOpened(false);
    setUrl('https://');
    setError(undefined);
  }

  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" width={320} withArrow>
      <Popover.Target>
        <Action
          icon={Link2}
          size="xs"
          variant="default"
          title={t.insertLinkHint}
          disabled={links.length >= MAX_LINKS}
          onClick={() => setOpened(!opened)}
        >
          {t.insertLink}
        </Action>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <TextInput
            label={t.linkAddress}
            description={t.insertLinkHint}
            dir="ltr"
            type="url"
            data-autofocus
            maxLength={2_000}
            value={url}
            error={error}
            onChange={(event) => setUrl(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              insert();
            }}
          />
          <Button size="xs" onClick={insert}>
            {t.linkInsert}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

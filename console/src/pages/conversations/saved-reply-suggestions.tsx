import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useTexts } from '../../i18n/use-texts.tsx';

type SavedReply = Answer<'/v1/saved-replies'>['saved_replies'][number];

const PAUSE_MS = 150;
const MAX_SHOWN = 8;

/** Search term: a text that begins with `/` and has no blank yet; undefined for other texts. */
const searchOf = (text: string): string | undefined => /^\/(\S{0,30})$/.exec(text)?.[1];

/**
 * Suggestions of saved replies for a text that begins with `/`: the matches, the selected one, and the keys that select.
 *
 * @param onUse gets the text of the chosen reply, with the names of the client and of the agent filled in
 */
export function useSavedReplies(conversation: string, text: string, onUse: (text: string) => void) {
  const search = searchOf(text);
  const [asked] = useDebouncedValue(search, PAUSE_MS);
  const [left, setLeft] = useState<string>();
  const [position, setPosition] = useState(0);
  const [enteredAt, setEnteredAt] = useState<string>();
  const { data, isError } = useAnswer(
    '/v1/saved-replies',
    { query: { search: asked ?? '' } },
    { enabled: search !== undefined && asked !== undefined },
  );
  const isOpen = search !== undefined && left !== text;
  const found = isOpen ? (data?.saved_replies ?? []).slice(0, MAX_SHOWN) : [];
  const chosen = Math.min(position, found.length - 1);
  // Enter before the answer would send the shortcut itself to the client.
  const isSearching = isOpen && (asked !== search || (data === undefined && !isError));
  const isEntered = enteredAt === text && !isSearching;
  useEffect(() => {
    if (!isEntered) return;
    setEnteredAt(undefined);
    if (found.length > 0) void use(found[chosen]!);
  });
  async function use({ id }: SavedReply) {
    const filled = await client.POST('/v1/saved-replies/{id}/use', {
      ...byId(id),
      body: { conversation_id: conversation },
    });
    setPosition(0);
    onUse(filled!.text);
  }
  /** Handles a key for the list; returns whether it did. */
  function onKey(event: React.KeyboardEvent): boolean {
    if (isSearching && event.key === 'Enter' && !event.shiftKey) {
      setEnteredAt(text);
      event.preventDefault();
      return true;
    }
    if (found.length === 0) return false;
    switch (event.key) {
      case 'ArrowDown':
        setPosition((chosen + 1) % found.length);
        break;
      case 'ArrowUp':
        setPosition((chosen + found.length - 1) % found.length);
        break;
      case 'Enter':
      case 'Tab':
        void use(found[chosen]!);
        break;
      case 'Escape':
        setLeft(text);
        break;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  }
  return { found, chosen, use, onKey };
}

const LIST = 'saved-replies';
const optionId = (id: string) => `${LIST}-${id}`;

/** ARIA attributes of the input: its list, and the selected entry. */
export const savedReplyProps = ({
  found,
  chosen,
}: Pick<ReturnType<typeof useSavedReplies>, 'found' | 'chosen'>) =>
  found.length === 0
    ? {}
    : {
        'aria-autocomplete': 'list' as const,
        'aria-haspopup': 'listbox' as const,
        'aria-controls': LIST,
        'aria-activedescendant': optionId(found[chosen]!.id),
      };

/** The saved replies that a text may mean. */
export function SavedReplyList({ found, chosen, use }: ReturnType<typeof useSavedReplies>) {
  const { conversations: t } = useTexts();
  if (found.length === 0) return null;
  return (
    <div id={LIST} role="listbox" aria-label={t.savedReplies} className="saved-replies">
      {found.map((reply, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
        <div
          key={reply.id}
          id={optionId(reply.id)}
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          className="saved-reply"
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => void use(reply)}
        >
          <b>
            <bdi>/{reply.shortcut}</bdi>
          </b>
          <span className="saved-reply-text">
            <bdi>{reply.title}</bdi> · <bdi>{reply.text}</bdi>
          </span>
        </div>
      ))}
    </div>
  );
}

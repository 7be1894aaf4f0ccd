import { ActionIcon, Anchor, Group, Menu } from '@mantine/core';
import { Braces, Trash2 } from 'lucide-react';
import type { Answer } from '../../api/operations.ts';
import { useChoices } from '../../api/paging.ts';
import { Action } from '../../components/action.tsx';
import { useInsertion } from '../../components/insertion.ts';
import { Amount } from '../../components/values.tsx';
import { PlaceholderArea } from '../../features/composing/placeholder-area.tsx';
import {
  type Placeholder,
  shownPlaceholder,
  withNames,
  withoutNames,
} from '../../features/composing/placeholders.ts';
import { useTexts } from '../../i18n/use-texts.tsx';
import { type InsertedLink, InsertLink, linkOf } from './insert-link.tsx';

type Measure = Answer<'/v1/sms/estimate', 'POST'>;

const FIELDS = [1, 2, 3, 4, 5, 6];

/**
 * Returns the fields of a contact list by the names of its columns; fields without a name of their own, and all without a
 * list, have a number.
 */
export function useListFields(list: string | undefined): readonly Placeholder[] {
  const { send: t } = useTexts();
  const contactLists = useChoices('/v1/contact-lists', (answer) => answer.contact_lists);
  const columns = contactLists.data?.find(({ id }) => id === list)?.columns ?? [];
  return FIELDS.map((field) => {
    const name = columns[field - 1] ?? '';
    const isOwn = name !== '' && !/[{}]/.test(name) && columns.indexOf(name) === field - 1;
    return { wire: `[DYNAMIC_FIELD${field}]`, name: isOwn ? name : t.field(field) };
  });
}

interface Changes {
  readonly message?: string;
  readonly links?: readonly InsertedLink[];
}

/** The text with its length, and what can be put into it. The draft has the placeholders of the service. */
export function MessageText({
  message,
  links,
  change,
  fields,
  measure,
  callsOnly,
  error,
}: {
  readonly message: string;
  readonly links: readonly InsertedLink[];
  readonly change: (changes: Changes) => void;
  readonly fields: readonly Placeholder[];
  readonly measure: Measure | undefined;
  /** The text is only spoken. */
  readonly callsOnly: boolean;
  readonly error: string | undefined;
}) {
  const { send: t } = useTexts();
  const placeholderOf = ({ id }: InsertedLink) => ({ wire: linkOf(id), name: t.link(id) });
  const placeholders = [...fields, ...links.map(placeholderOf)];
  const shown = withNames(message, placeholders);
  const { area, insert } = useInsertion(shown, (text) =>
    change({ message: withoutNames(text, placeholders) }),
  );
  function insertLink(link: InsertedLink) {
    const added = placeholderOf(link);
    insert(shownPlaceholder(added.name), true, (text) =>
      change({ links: [...links, link], message: withoutNames(text, [...placeholders, added]) }),
    );
  }
  return (
    <>
      <div>
        <PlaceholderArea
          area={area}
          label={t.text}
          placeholder={t.textPlaceholder}
          autosize
          minRows={4}
          maxRows={14}
          maxLength={2_000}
          value={shown}
          onChange={(event) => change({ message: withoutNames(event.currentTarget.value, placeholders) })}
          error={error}
        />
        <div className="text-measure" aria-live="polite">
          {!measure && <span>{message.trim() === '' ? t.writeFirst : t.estimating}</span>}
          {measure && (callsOnly ? <span>{t.aloud.onlyCalls}</span> : <Length measure={measure} />)}
        </div>
      </div>
      <Group gap="xs">
        <InsertLink links={links} onInsert={insertLink} />
        <Menu position="bottom-start">
          <Menu.Target>
            <Action icon={Braces} size="xs" variant="default" title={t.insertFieldHint}>
              {t.insertField}
            </Action>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>{t.insertFieldHint}</Menu.Label>
            {fields.map(({ wire, name }) => (
              <Menu.Item key={wire} onClick={() => insert(shownPlaceholder(name))}>
                <bdi>{name}</bdi>
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Links links={links} message={message} change={change} />
    </>
  );
}

/** How many parts a text has, and what each costs. */
function Length({ measure }: { readonly measure: Measure }) {
  const { send: t } = useTexts();
  return (
    <>
      <b>{t.parts(measure.parts)}</b>
      <span title={t.encodingHint[measure.encoding]}>{t.encodings[measure.encoding]}</span>
      <span>{t.left(measure.units_left)}</span>
      <span>
        {t.partPrice}: <Amount value={measure.part_price} unit />
      </span>
    </>
  );
}

function Links({
  links,
  message,
  change,
}: {
  readonly links: readonly InsertedLink[];
  readonly message: string;
  readonly change: (changes: Changes) => void;
}) {
  const { send: t } = useTexts();
  if (links.length === 0) return null;
  return (
    <ul className="link-list" aria-label={t.links}>
      {links.map((link) => (
        <li key={link.id}>
          <bdi>{shownPlaceholder(t.link(link.id))}</bdi>
          <Anchor href={link.url} target="_blank" rel="noreferrer" size="sm" dir="ltr">
            {link.url}
          </Anchor>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t.removeLink(link.id)}
            onClick={() =>
              change({
                links: links.filter((one) => one !== link),
                message: message.replaceAll(linkOf(link.id), ''),
              })
            }
          >
            <Trash2 size={14} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

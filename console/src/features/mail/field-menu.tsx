import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { useTexts } from '../../i18n/use-texts.tsx';

const standardFields = ['FirstName', 'LastName', 'EmailAddress', 'Cellphone', 'unsubscribe'] as const;

/**
 * Menu of the recipients' fields.
 *
 * @param columns names of further fields that the recipients have
 * @param onInsert gets the placeholder of the chosen field: `{{FirstName}}`
 */
export function FieldMenu({
  columns,
  onInsert,
  children,
}: {
  readonly columns: readonly string[];
  readonly onInsert: (placeholder: string) => void;
  readonly children: ReactElement;
}) {
  const { mailCampaigns: t } = useTexts();
  return (
    <Menu position="bottom-end" returnFocus={false}>
      <Menu.Target>{children}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.insertFieldHint}</Menu.Label>
        {standardFields.map((field) => (
          <Menu.Item key={field} onClick={() => onInsert(`{{${field}}}`)}>
            {t.fieldNames[field]}
          </Menu.Item>
        ))}
        {columns.map((column) => (
          <Menu.Item key={`list ${column}`} onClick={() => onInsert(`{{${column}}}`)}>
            <bdi>{column}</bdi>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

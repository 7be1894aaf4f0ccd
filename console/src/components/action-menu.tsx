import { ActionIcon, Menu } from '@mantine/core';
import { EllipsisVertical, type LucideIcon } from 'lucide-react';
import { Link } from 'wouter';

/** Entry of a menu: an action or a link. */
type MenuEntry =
  | {
      readonly icon: LucideIcon;
      readonly label: string;
      readonly danger?: boolean;
      /** Icons that point somewhere are mirrored in Hebrew. */
      readonly mirrored?: boolean;
      readonly onClick?: () => void;
      readonly href?: string;
    }
  | 'divider'
  | false;

/** Menu of actions behind a three-dot button. Omits entries that are `false`. */
export function ActionMenu({
  label,
  entries,
  framed = false,
}: {
  readonly label: string;
  readonly entries: readonly MenuEntry[];
  /** Beside other buttons rather than in a row. */
  readonly framed?: boolean;
}) {
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon
          {...(framed ? { variant: 'default', size: 'input-sm' } : { variant: 'subtle', color: 'gray' })}
          aria-label={label}
        >
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry) => {
          if (entry === false) return null;
          if (entry === 'divider') return <Menu.Divider key="divider" />;
          const { icon: Icon, label: name, danger, mirrored, onClick, href } = entry;
          const props = {
            ...(danger && { color: 'red' }),
            leftSection: <Icon size={16} {...(mirrored && { className: 'mirrored' })} aria-hidden />,
          };
          return href === undefined ? (
            <Menu.Item key={name} {...props} onClick={onClick}>
              {name}
            </Menu.Item>
          ) : (
            <Menu.Item key={name} {...props} component={Link} href={href}>
              {name}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

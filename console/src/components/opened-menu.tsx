import { Menu, type MenuProps } from '@mantine/core';
import {
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';

/** A menu below its button that opens immediately, because `lazyMenu` loads it when the button is used. */
export function OpenedMenu({
  button,
  children,
  ...menu
}: { readonly button: ReactElement; readonly children: ReactNode } & Pick<MenuProps, 'width'>) {
  const [opened, setOpened] = useState(false);
  const target = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button before it, which had the focus, has gone. Menu gives the focus back to this one when it closes.
    target.current?.focus();
    setOpened(true);
  }, []);
  return (
    <Menu position="bottom-end" {...menu} opened={opened} onChange={setOpened}>
      <Menu.Target>
        {cloneElement(button as ReactElement<{ ref: Ref<HTMLButtonElement> }>, { ref: target })}
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

import { cloneElement, lazy, type ReactElement, Suspense, useState } from 'react';

/** Props of a component that shows a menu below its button, opened (`OpenedMenu`). */
export interface OpenedMenuProps {
  readonly button: ReactElement<{ readonly onClick?: () => void }>;
}

/**
 * A button with a menu, whose script loads when it is first opened: menus and what places them on the page are a fifth of
 * the script that every page would load.
 *
 * @param load imports the component with the menu
 */
export function lazyMenu(load: () => Promise<{ default: (props: OpenedMenuProps) => ReactElement }>) {
  const Opened = lazy(load);
  return function LazyMenu({ button }: OpenedMenuProps) {
    const [wanted, setWanted] = useState(false);
    if (wanted) {
      return (
        <Suspense fallback={button}>
          <Opened button={button} />
        </Suspense>
      );
    }
    const closed = { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setWanted(true) };
    return cloneElement(button, closed);
  };
}

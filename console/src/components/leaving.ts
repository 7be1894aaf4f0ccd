import { useEffect, useRef } from 'react';

/** Asks whether the page may be left, and does what has to be done before. */
type MayLeave = () => Promise<boolean>;

let mayLeave: MayLeave | undefined;

/**
 * Asks before the person leaves the page by a link, by Back and Forward of the browser, or by closing it.
 *
 * @param isUnsaved whether changes would be lost; then the browser asks before it closes the page
 * @param ask saves the changes, or asks; returns whether the page may be left
 */
export function useLeaving(isUnsaved: () => boolean, ask: MayLeave): void {
  const latest = useRef({ isUnsaved, ask });
  latest.current = { isUnsaved, ask };
  useEffect(() => {
    const own: MayLeave = async () => !latest.current.isUnsaved() || latest.current.ask();
    mayLeave = own;
    function onUnload(event: BeforeUnloadEvent) {
      if (latest.current.isUnsaved()) event.preventDefault();
    }
    // Back and Forward within the console. A navigation that cannot be cancelled, for example before the person interacted
    // with the page, proceeds.
    function onTraverse(event: NavigateEvent) {
      const { navigationType, cancelable, destination } = event;
      const isLeft = new URL(destination.url).pathname !== location.pathname;
      if (navigationType !== 'traverse' || !isLeft || !cancelable || !latest.current.isUnsaved()) return;
      event.preventDefault();
      void own().then((may) => {
        if (!may) return;
        if (mayLeave === own) mayLeave = undefined;
        removeEventListeners();
        window.navigation.traverseTo(destination.key);
      });
    }
    function removeEventListeners() {
      removeEventListener('beforeunload', onUnload);
      window.navigation?.removeEventListener('navigate', onTraverse);
    }
    addEventListener('beforeunload', onUnload);
    window.navigation?.addEventListener('navigate', onTraverse);
    return () => {
      if (mayLeave === own) mayLeave = undefined;
      removeEventListeners();
    };
  }, []);
}

/** Asks the page, if it has unsaved changes, whether it may be left. Returns whether it may. */
export async function mayLeavePage(): Promise<boolean> {
  const may = (await mayLeave?.()) ?? true;
  if (may) mayLeave = undefined;
  return may;
}

/** Goes elsewhere when the page may be left: `aroundNav` of the router. */
export function navigateIfMayLeave<Options>(
  navigate: (to: string, options?: Options) => void,
  to: string,
  options?: Options,
): void {
  const [path] = to.split('?');
  if (!mayLeave || path === '' || path === location.pathname) {
    navigate(to, options);
    return;
  }
  void mayLeave().then((may) => {
    if (!may) return;
    mayLeave = undefined;
    navigate(to, options);
  });
}

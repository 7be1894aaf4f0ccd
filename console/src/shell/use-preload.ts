import { useEffect } from 'react';
import { matchRoute, useRouter } from 'wouter';
import { pages } from '../feature-list.ts';

/**
 * Fetches the script of a page when the pointer or the focus reaches a link to it, a tenth of a second or more before the
 * click. The page itself then has to wait only for its data.
 */
export function usePreload(): void {
  const { parser } = useRouter();
  useEffect(() => {
    function onReach({ target }: Event) {
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href^="/"]');
      if (!link) return;
      const { pathname } = link;
      // Its page says what is wrong when the script cannot be fetched.
      pages
        .find(({ path }) => matchRoute(parser, path, pathname)[0])
        ?.script?.fetch()
        .catch(() => {});
    }
    addEventListener('pointerover', onReach);
    addEventListener('focusin', onReach);
    return () => {
      removeEventListener('pointerover', onReach);
      removeEventListener('focusin', onReach);
    };
  }, [parser]);
}

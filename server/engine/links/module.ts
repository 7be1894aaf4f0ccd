import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { Clicks } from './clicks.ts';
import { ShortLinks } from './short-links.ts';
import { linksTables } from './tables.ts';
import { linkRoutes } from './v1.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly links: ShortLinks;
    readonly clicks: Clicks;
  }
}

/** Short links, and their clicks. */
export const links = defineModule({
  name: 'links',
  tables: linksTables,
  needs: ['sql', 'ids', 'clock', 'log', 'secrets', 'linkBase'],
  open: async ({ sql, ids, clock, log, secrets, linkBase }) => ({
    links: await ShortLinks.open({ sql, ids, clock, secrets, base: linkBase }),
    clicks: new Clicks({ sql, ids, log }),
  }),
  stages: ({ clicks }) => [{ name: 'clicks', stop: () => clicks.stop() }],
  routes: [serve(linkRoutes)],
});

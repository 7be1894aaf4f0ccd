import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { linkRoutes } from '../v1/messages/links.ts';
import { Clicks } from './clicks.ts';
import { Links } from './links.ts';

/** Short links, and their clicks. */
export const links = defineModule({
  name: 'links',
  needs: ['sql', 'ids', 'clock', 'log', 'secrets', 'linkBase'],
  open: async ({ sql, ids, clock, log, secrets, linkBase }) => ({
    links: await Links.open({ sql, ids, clock, secrets, base: linkBase }),
    clicks: new Clicks({ sql, ids, log }),
  }),
  stages: ({ clicks }) => [{ name: 'clicks', stop: () => clicks.stop() }],
  routes: [serve(linkRoutes)],
});

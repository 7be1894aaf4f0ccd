import { serve } from '../../../server/api/v1/kit/route.ts';
import { defineModule, type RouteContext } from '../../../server/run/define-module.ts';
import { Ratings, ratingsPart } from './ratings.ts';
import { ratingsTables } from './tables.ts';
import { ratingRoutes } from './v1.ts';

/** Ratings: the example of a module, and the test of the contract. A module of the product also declares its services. */
export const ratings = defineModule({
  name: 'ratings',
  tables: ratingsTables,
  migrations: new URL('./migrations/', import.meta.url),
  needs: [],
  jobs: (context) => [{ owner: 'module ratings', everyMs: 100, step: () => new Ratings(context).count() }],
  personalData: { phase: 'people', part: () => ratingsPart },
  routes: [serve(ratingRoutes, (context: RouteContext) => ({ ...context, ratings: new Ratings(context) }))],
});

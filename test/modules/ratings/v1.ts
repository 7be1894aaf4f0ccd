import { z } from 'zod';
import { dailyWork, reads } from '../../../server/api/access/rules.ts';
import { out } from '../../../server/api/openapi/out.ts';
import { field, requiredText, whole } from '../../../server/api/v1/kit/fields.ts';
import { resource } from '../../../server/api/v1/kit/route.ts';
import { serializer } from '../../../server/api/v1/kit/serializer.ts';
import type { CoreContext } from '../../../server/run/services.ts';
import type { Ratings } from './ratings.ts';

const ratingAnswer = z.object({
  id: out.id('Id of the rating.', '1774337460000002'),
  phone: out.text('Number of the person.', '972501234567'),
  stars: out.count('Stars, 1 to 5.', 4),
  verdict: out.text('Stars as a word.', 'good'),
});
const show = serializer(ratingAnswer, ({ stars }: { readonly stars: number }) => ({
  verdict: stars > 2 ? 'good' : 'bad',
}));

const route = resource<Pick<CoreContext, 'numbers'> & { readonly ratings: Ratings }>('data', {
  'words of a fixed set': ['verdict'],
});

/** Ratings by people. */
export const ratingRoutes = [
  route('POST /v1/ratings', {
    access: dailyWork(reads('sender', 'contacts')),
    operationId: 'addRating',
    title: 'Add a rating',
    description: 'Stores the rating of a person.',
    body: z.object({
      phone: field(requiredText(40), 'Number of the person.', '0501234567'),
      stars: field(whole(1, 5), 'Stars.', 4),
    }),
    answer: ratingAnswer,
    handler: async ({ accountId, body: { phone, stars } }, { ratings, numbers }) =>
      show(await ratings.add(accountId, numbers.parse(phone)!.digits, stars)),
  }),
  route('GET /v1/ratings', {
    access: reads('viewer', 'contacts'),
    operationId: 'listRatings',
    title: 'List ratings',
    description: 'Lists the 50 newest ratings, and the number of all that are counted.',
    answer: z.object({
      ratings: z.array(ratingAnswer).describe('Ratings, newest first.'),
      counted: out.count('Number of counted ratings.', 17),
      total: out.count('Sum of their stars.', 68),
    }),
    handler: async ({ accountId }, { ratings }) => {
      const { ratings: rows, sum } = await ratings.of(accountId);
      return { ratings: rows.map(show), counted: sum.count, total: sum.stars };
    },
  }),
];

import { type Check, ok, warn } from '../../run/doctor/check.ts';

/** Who can sign in as an operator, and with what. */
export const peopleCheck: Check = {
  name: 'people',
  title: 'People',
  about:
    'Require a second factor of operators (`carillon person require-second-factor`) and of the people of accounts.',
  async run({ appContext: { people, database } }) {
    const operators = (await people.people.list(null)).filter(({ suspended }) => !suspended);
    if (operators.length === 0) {
      const todo = 'Add one with `carillon person add`, to see the whole service in the console.';
      return [warn('there is no operator', todo)];
    }
    const confirming = await database.sql<{ id: number }[]>`
      SELECT id FROM sign_in_providers WHERE cardinality(second_factor_values) > 0`;
    const providers = new Set(confirming.map(({ id }) => id));
    // Who comes by a provider proves a second factor there, or is asked for their own one here.
    const without = operators.filter(
      ({ secondFactor, providerId }) => !secondFactor && !(providerId !== null && providers.has(providerId)),
    );
    const here = operators.filter(({ secondFactor }) => secondFactor).length;
    const there = operators.length - here - without.length;
    const found = `operators with a second factor: ${here + there} of ${operators.length}${there > 0 ? `, ${there} of them by their sign-in provider` : ''}`;
    if (without.length === 0) return [ok(found)];
    const { secondFactorRequired } = await people.rules.find(null);
    if (secondFactorRequired) return [ok(`${found}; the others have to set one up when they sign in`)];
    return [warn(found, 'Run `carillon person require-second-factor`: an operator can do everything.')];
  },
};

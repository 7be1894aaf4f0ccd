import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { Invitations } from './invitations.ts';
import { forgottenPasswordRoutes } from './v1/forgotten-password.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly invitations: Invitations;
  }
}

/** Mailed links for choosing a password. */
export const invitations = defineModule({
  name: 'invitations',
  needs: ['sql', 'ids', 'log', 'people', 'gate', 'budgets', 'questions', 'lateBound', 'pageBase'],
  open: ({ lateBound, people, ...needs }) => ({
    invitations: new Invitations({ ...needs, people: people.people, mailer: () => lateBound.mailer }),
  }),
  routes: [serve(forgottenPasswordRoutes)],
});

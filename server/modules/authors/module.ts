import { defineModule } from '../../run/define-module.ts';
import { AUTHORS_MS, Authors } from './authors.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly authors: Authors;
  }
}

/** Rights of the authors of what acts after their request. */
export const authors = defineModule({
  name: 'authors',
  needs: ['sql', 'clock', 'log', 'people', 'accessRules'],
  open: ({ sql, clock, log, people, accessRules }) => ({
    authors: new Authors({ sql, clock, log, audit: people.audit, accessRules }),
  }),
  jobs: ({ authors }) => [{ owner: 'authors', everyMs: AUTHORS_MS, step: () => authors.run() }],
});

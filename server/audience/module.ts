import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { blacklistRoutes } from '../v1/contacts/blacklist.ts';
import { contactRoutes } from '../v1/contacts/contacts.ts';
import { csvJobRoutes } from '../v1/contacts/csv-jobs.ts';
import { contactListRoutes } from '../v1/contacts/lists.ts';
import { Blacklist } from './blacklist.ts';
import { ContactLists } from './contact-lists.ts';
import { ContactWork } from './contact-work.ts';
import { CsvJobs, heldCsvFiles } from './csv-jobs.ts';
import { contactExports } from './exports.ts';
import { Imports } from './imports.ts';
import { audiencePart } from './personal-data.ts';
import { Suppressions } from './suppressions.ts';

const CONTACT_WORK_MS = 300;

/** Contact lists, their CSV jobs, and the blacklist. */
export const audience = defineModule({
  name: 'audience',
  needs: ['sql', 'ids', 'clock', 'secrets', 'owner', 'people', 'numbers', 'events', 'consents', 'budgets'],
  open({ sql, ids, clock, secrets, owner, people, numbers, events, consents, budgets }) {
    const lists = new ContactLists({ sql, ids, clock });
    const suppressions = new Suppressions({ sql, secrets });
    const blacklist = new Blacklist({ sql, ids, clock, events, suppressions });
    const jobs = new CsvJobs({ sql, ids, clock, audit: people.audit, budgets, owner });
    return {
      contactLists: lists,
      suppressions,
      blacklist,
      csvJobs: jobs,
      imports: new Imports({ sql, clock, consents, jobs, lists, blacklist, numbers }),
      exports: contactExports({ sql, jobs, lists }),
    };
  },
  jobs({ sql, log, csvJobs, imports, exports, opened }) {
    const others = opened.flatMap(({ module }) => module.csv ?? []);
    const work = new ContactWork({ sql, log, jobs: csvJobs, imports, exports, others });
    return [
      {
        owner: 'contact lists',
        everyMs: CONTACT_WORK_MS,
        step: () => work.run(),
        due: () => work.due(),
        stop: () => work.stop(),
      },
    ];
  },
  upkeep: ({ csvJobs }) => csvJobs.cleanUp(),
  personalData: { phase: 'people', part: ({ suppressions }) => audiencePart({ suppressions }) },
  storedFiles: heldCsvFiles,
  routes: [serve(contactListRoutes), serve(csvJobRoutes), serve(contactRoutes), serve(blacklistRoutes)],
});

import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { Blacklist } from './blacklist.ts';
import { ContactLists } from './contact-lists.ts';
import { ContactWork } from './contact-work.ts';
import { CsvJobs, heldCsvFiles } from './csv-jobs.ts';
import { contactExports } from './exports.ts';
import { Imports } from './imports.ts';
import { audiencePart } from './personal-data.ts';
import { Suppressions } from './suppressions.ts';
import { audienceTables } from './tables.ts';
import { blacklistRoutes } from './v1/blacklist.ts';
import { contactRoutes } from './v1/contacts.ts';
import { csvJobRoutes } from './v1/csv-jobs.ts';
import { contactListRoutes } from './v1/lists.ts';
import { recipientRoutes } from './v1/recipients.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly contactLists: ContactLists;
    readonly suppressions: Suppressions;
    readonly blacklist: Blacklist;
    readonly csvJobs: CsvJobs;
    readonly imports: Imports;
    readonly exports: ReturnType<typeof contactExports>;
    readonly contactWork: ContactWork;
  }
}

const CONTACT_WORK_MS = 300;

/** Contact lists, their CSV jobs, and the blacklist. */
export const audience = defineModule({
  name: 'audience',
  tables: audienceTables,
  needs: [
    'sql',
    'ids',
    'clock',
    'log',
    'lateBound',
    'secrets',
    'owner',
    'people',
    'numbers',
    'events',
    'consents',
    'budgets',
    'work',
  ],
  open({
    sql,
    ids,
    clock,
    log,
    lateBound,
    secrets,
    owner,
    people,
    numbers,
    events,
    consents,
    budgets,
    work,
  }) {
    const lists = new ContactLists({ sql, ids, clock });
    const suppressions = new Suppressions({ sql, secrets });
    const blacklist = new Blacklist({ sql, ids, clock, events, suppressions });
    const jobs = new CsvJobs({ sql, ids, clock, audit: people.audit, budgets, owner, work });
    const imports = new Imports({ sql, clock, consents, jobs, lists, blacklist, numbers });
    const exports = contactExports({ sql, jobs, lists });
    const others = () => lateBound.csvTurns;
    return {
      contactLists: lists,
      suppressions,
      blacklist,
      csvJobs: jobs,
      imports,
      exports,
      contactWork: new ContactWork({ sql, clock, log, work, jobs, imports, exports, others }),
    };
  },
  jobs: ({ contactWork }) => [
    {
      owner: 'contact lists',
      everyMs: CONTACT_WORK_MS,
      step: () => contactWork.run(),
      due: () => contactWork.due(),
      stop: () => contactWork.stop(),
    },
  ],
  releaseClaims: ({ csvJobs }) => csvJobs.endUploads(),
  upkeep: ({ csvJobs }) => csvJobs.cleanUp(),
  personalData: { phase: 'people', part: ({ suppressions }) => audiencePart({ suppressions }) },
  storedFiles: heldCsvFiles,
  routes: [
    serve(contactListRoutes),
    serve(csvJobRoutes),
    serve(contactRoutes),
    serve(blacklistRoutes),
    serve(recipientRoutes),
  ],
});

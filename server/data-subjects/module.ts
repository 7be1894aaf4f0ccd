import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { dataSubjectRoutes } from '../v1/data-subjects/routes.ts';
import { DataSubjects } from './data-subjects.ts';
import { ErasureRecords, erasuresFolderOf } from './erasure-records.ts';
import { heldArchives, SubjectRequests } from './requests.ts';

const SECOND_MS = 1_000;
/** Longer than one turn of a request, which may copy files. */
const REQUESTS_MS = 330_000;

/** Exports and erasures of one person, over all modules and channels. */
export const dataSubjects = defineModule({
  name: 'data-subjects',
  needs: [
    'sql',
    'ids',
    'clock',
    'log',
    'config',
    'secrets',
    'owner',
    'lateBound',
    'numbers',
    'events',
    'budgets',
  ],
  open({ sql, ids, clock, log, config, secrets, owner, lateBound, numbers, events, budgets }) {
    const requests = new SubjectRequests({ sql, ids, clock, secrets, budgets, owner });
    const records = new ErasureRecords({ folder: erasuresFolderOf(config), secrets });
    const parts = () => lateBound.personalData;
    const { homeCode } = numbers;
    return {
      subjectRequests: requests,
      erasureRecords: records,
      dataSubjects: new DataSubjects({ sql, clock, log, requests, records, events, homeCode, parts }),
    };
  },
  jobs: ({ dataSubjects, subjectRequests }) => [
    {
      owner: 'data subjects',
      everyMs: SECOND_MS,
      limitMs: REQUESTS_MS,
      step: () => dataSubjects.run(),
      due: () => [subjectRequests.due()],
      stop: () => dataSubjects.stop(),
    },
  ],
  async upkeep({ subjectRequests, erasureRecords, clock, config }) {
    await subjectRequests.cleanUp();
    await erasureRecords.cleanUp(clock.now(), config.ERASURES_KEEP_DAYS);
    await erasureRecords.reseal();
  },
  storedFiles: heldArchives,
  stages: ({ dataSubjects, has }) => [
    { name: 'erasures', start: () => (has('jobs') ? dataSubjects.repeatErasures() : undefined) },
  ],
  routes: [serve(dataSubjectRoutes)],
});

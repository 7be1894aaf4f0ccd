import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { DataSubjects } from './data-subjects.ts';
import { ErasureRecords, erasuresFolderOf } from './erasure-records.ts';
import { heldArchives, SubjectRequests } from './requests.ts';
import { dataSubjectsTables } from './tables.ts';
import { dataSubjectRoutes } from './v1/routes.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly subjectRequests: SubjectRequests;
    readonly erasureRecords: ErasureRecords;
    readonly dataSubjects: DataSubjects;
  }
}

/** Exports and erasures of one person, over all modules and channels. */
export const dataSubjects = defineModule({
  name: 'data-subjects',
  tables: dataSubjectsTables,
  needs: [
    'sql',
    'ids',
    'clock',
    'log',
    'config',
    'secrets',
    'lateBound',
    'numbers',
    'events',
    'budgets',
    'work',
  ],
  open({ sql, ids, clock, log, config, secrets, lateBound, numbers, events, budgets, work }) {
    const requests = new SubjectRequests({ sql, ids, clock, secrets, budgets, work });
    const records = new ErasureRecords({ folder: erasuresFolderOf(config), secrets });
    const parts = () => lateBound.personalData;
    const { homeCode } = numbers;
    return {
      subjectRequests: requests,
      erasureRecords: records,
      dataSubjects: new DataSubjects({ sql, clock, log, requests, records, events, homeCode, parts, work }),
    };
  },
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

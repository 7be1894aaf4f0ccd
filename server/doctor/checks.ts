import type { AnySchemaCheck, Check } from './check.ts';
import { backupCheck, databaseCheck } from './database.ts';
import { certificatesCheck, clockCheck, diskCheck, limitsCheck } from './machine.ts';
import { mailCheck } from './mail.ts';
import { publicAddressCheck } from './public-address.ts';
import { schemaCheck } from './schema.ts';
import { sandboxCheck, secretsCheck } from './secrets.ts';
import { connectorsCheck, peopleCheck, speechCheck, webhooksCheck } from './traffic.ts';

/** Every check, in the order of the production checklist (docs/production.md), which is generated from this list. */
export const checks: readonly (Check | AnySchemaCheck)[] = [
  publicAddressCheck,
  secretsCheck,
  sandboxCheck,
  peopleCheck,
  schemaCheck,
  databaseCheck,
  backupCheck,
  diskCheck,
  clockCheck,
  limitsCheck,
  certificatesCheck,
  connectorsCheck,
  speechCheck,
  mailCheck,
  webhooksCheck,
];

/** The production checklist as Markdown. */
export const checklist = (): string =>
  checks
    .map(({ name, title, about }, index) => `${index + 1}. **${title}** (\`${name}\`). ${about}`)
    .join('\n');

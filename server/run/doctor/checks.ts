import { mailCheck } from '../../channels/mail/check.ts';
import { speechCheck } from '../../channels/voice/check.ts';
import { connectorsCheck } from '../../engine/connectors/check.ts';
import { webhooksCheck } from '../../engine/events/check.ts';
import { peopleCheck } from '../../modules/people/check.ts';
import type { AnySchemaCheck, Check } from './check.ts';
import { backupCheck, databaseCheck } from './database.ts';
import { certificatesCheck, clockCheck, diskCheck, limitsCheck } from './machine.ts';
import { publicAddressCheck } from './public-address.ts';
import { schemaCheck } from './schema.ts';
import { sandboxCheck, secretsCheck } from './secrets.ts';

/**
 * Every check, in the order of the production checklist (docs/production.md), which is generated from this list. A check of a module or
 * channel is in `check.ts` of its folder.
 */
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

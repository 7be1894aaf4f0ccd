import { partOf } from '../personal-data/table-parts.ts';

/**
 * One-time codes. The fraud guard needs the counts of sent and used codes by the first digits of the number, so these
 * stay; the number becomes a pseudonym, and the code can no longer be used.
 */
export const codesPart = partOf([
  {
    table: 'otp_sends',
    kind: 'one-time-codes',
    by: { phone: ['phones'] },
    key: ['id'],
    shown: ['id', 'phone', 'app_id', 'expires_at', 'verified_at'],
    times: ['expires_at', 'verified_at'],
    kept: { digest: Buffer.alloc(0), tries_left: 0 },
  },
  {
    table: 'otp_blocks',
    kind: 'one-time-codes',
    by: { phone: ['phones'] },
    key: ['hour', 'rule', 'prefix', 'kind'],
    shown: ['kind', 'rule', 'phone', 'first_at', 'last_at'],
    times: ['first_at', 'last_at'],
    kept: {},
  },
  {
    table: 'guarded_sends',
    kind: 'one-time-codes',
    by: { phone: ['phones'] },
    key: ['id'],
    shown: ['id', 'kind', 'phone', 'verified_at'],
    times: ['verified_at'],
    kept: {},
  },
]);

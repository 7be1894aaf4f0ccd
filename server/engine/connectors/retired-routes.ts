import { texts } from '../../database/arrays.ts';
import type { TransactionSql } from '../../database/connection.ts';
import { CALL_ROUTES } from '../carriers/routing.ts';
import { prefixesOf } from './http-connectors.ts';
import type { StoredConnector } from './stored.ts';

/** Remembers the names of routes on which messages may still wait. */
export async function retireRoutes(tx: TransactionSql, names: readonly string[], now: number): Promise<void> {
  await tx`
    INSERT INTO retired_routes (name, retired_at) SELECT name, ${now} FROM unnest(${texts(names)}::text[]) AS n (name)
    ON CONFLICT (name) DO NOTHING`;
}

/** Remembers the call routes of a trunk that is changed or removed. */
export async function retireCallRoutes(
  tx: TransactionSql,
  { protocol, settings }: Pick<StoredConnector, 'protocol' | 'settings'>,
  now: number,
): Promise<void> {
  const { prefixes = [''] } = (settings ?? {}) as { readonly prefixes?: readonly string[] };
  const served = protocol === 'sip' ? prefixes : protocol === 'http' ? prefixesOf(settings) : [];
  if (served.length === 0) return;
  await retireRoutes(
    tx,
    served.map((prefix) => CALL_ROUTES + prefix),
    now,
  );
}

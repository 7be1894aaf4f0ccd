import type { Channel } from '../channels/contract/channel.ts';
import { Tables } from '../database/define-tables.ts';
import { databaseTables } from '../database/tables.ts';
import { loginThrottleTables } from '../modules/login-throttle/tables.ts';
import { secretsTables } from '../secrets/tables.ts';
import type { Module } from './define-module.ts';
import { modules } from './module-list.ts';

/** The tables of the modules and of these channels, and of the parts of the service that are no modules. */
export function tablesOf(channels: Iterable<Pick<Channel, 'tables' | 'migrations'>>): Tables {
  const all: readonly Pick<Module, 'tables' | 'migrations'>[] = [...modules, ...channels];
  const sets = all.map(({ tables }) => tables ?? {});
  return new Tables(
    [databaseTables, secretsTables, loginThrottleTables, ...sets],
    all.flatMap(({ migrations }) => migrations ?? []),
  );
}

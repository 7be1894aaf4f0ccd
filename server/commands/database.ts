import { type Command, InvalidArgumentError } from 'commander';
import {
  checkDistributable,
  type DistributedTable,
  distribute,
  isDistributed,
} from '../database/distribution.ts';
import { describeNodes, isolateAccount, type NodesReport, planMoves, rebalance } from '../database/nodes.ts';
import type { AppContext } from '../run/app-context.ts';
import { accountNamed, CommandError, type Json, print, withAppContext } from './with-app-context.ts';

const MAX_SHARDS = 4_096;

interface DryRun extends Json {
  dryRun?: boolean;
}

/** `database`: a database distributed by Citus. */
export function databaseCommands(program: Command): void {
  const database = program
    .command('database')
    .description('manages a PostgreSQL distributed over several nodes by Citus');
  database
    .command('distribute')
    .description('distributes the tables over the nodes, once; the service must be stopped')
    .option('--shards <number>', 'shards of each table (8, or two for each worker)', readShards)
    .action(({ shards, json }: { shards?: number } & Json) =>
      withAppContext(
        async ({ tables: { placements }, database: { sql } }) => {
          const tables: DistributedTable[] = [];
          await distribute(sql, placements, shards, (table) => {
            tables.push(table);
            if (!json) console.log(describeTable(table));
          });
          print(json, tables, 'distributed');
        },
        { steps: true, check: ({ database: { sql } }) => checkDistributable(sql, shards) },
      ),
    );
  database
    .command('nodes')
    .description('lists nodes, their shards and sizes, and the accounts with the most messages')
    .action(({ json }: Json) =>
      withAppContext(async ({ database: { sql } }) => {
        const report = (await isDistributed(sql)) ? await describeNodes(sql) : undefined;
        print(json, report ?? {}, report ? describeReport(report) : 'the database is not distributed');
      }),
    );
  database
    .command('isolate <account>')
    .description('gives an account a shard of its own; its requests wait during the move')
    .option('--dry-run', 'shows whether the account would move, without moving it')
    .action((username: string, { dryRun = false, json }: DryRun) =>
      withAppContext(
        async (appContext) => {
          const { id } = await accountNamed(appContext, username);
          const isNew = await isolateAccount(appContext.database.sql, id, { isDryRun: dryRun });
          const words = isNew
            ? `${username} ${dryRun ? 'would get' : 'has'} a shard of its own`
            : `${username} had a shard of its own already`;
          print(json, { account: id, isolated: isNew, dryRun }, words);
        },
        {
          steps: true,
          async check(appContext) {
            await requireDistributed(appContext);
            await accountNamed(appContext, username);
          },
        },
      ),
    );
  database
    .command('rebalance')
    .description('moves shards until they are spread evenly over the nodes, while the service runs')
    .option('--dry-run', 'shows what would be moved')
    .action(({ dryRun = false, json }: DryRun) =>
      withAppContext(
        async ({ database: { sql } }) => {
          const moves = await planMoves(sql);
          if (!dryRun && moves.length > 0) await rebalance(sql);
          const lines = moves.map(
            ({ shard, bytes, from, to }) => `shard ${shard}  ${size(bytes)}  ${from} -> ${to}`,
          );
          print(json, { moves, dryRun }, lines.join('\n') || 'every node has its share');
        },
        { steps: true, check: requireDistributed },
      ),
    );
}

function readShards(value: string): number {
  const count = Number(value);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_SHARDS) return count;
  throw new InvalidArgumentError(`--shards: a number from 1 to ${MAX_SHARDS}`);
}

async function requireDistributed({ database: { sql } }: AppContext): Promise<void> {
  if (!(await isDistributed(sql))) {
    throw new CommandError('the database is not distributed: see `carillon database distribute`');
  }
}

function describeTable({ table, column, rows, took, wasDone }: DistributedTable): string {
  const state = wasDone ? 'was distributed before' : `${(took / 1_000).toFixed(1)} s`;
  return `${table}  by ${column}  ${rows} rows  ${state}`;
}

function describeReport({ nodes, skew, accounts }: NodesReport): string {
  return [
    ...nodes.map(
      ({ node, isActive, shards, bytes }) =>
        `${node}  ${shards} shards  ${size(bytes)}${isActive ? '' : '  (not active)'}`,
    ),
    `largest over mean: ${skew.toFixed(2)}`,
    ...accounts.map(
      ({ username, messages, shard, node, isIsolated }) =>
        `${username}  ${messages} messages  shard ${shard}${isIsolated ? ' (its own)' : ''}  ${node}`,
    ),
  ].join('\n');
}

const size = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;

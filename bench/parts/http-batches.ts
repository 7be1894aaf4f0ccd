import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startChild } from '../support/child.ts';
import type { Compared } from '../support/compared.ts';
import { type ComparedServicesOptions, compareServices } from '../support/compared-services.ts';

/** Messages of a request in the second case. */
const BATCH = 100;
/** Messages without a stored outcome: several batches, and enough requests with one message to use all of the CPU. */
const WINDOW = 1_000;
const PATH_SECRET = 'path-secret-of-the-benchmark';

const rule = (when: object, outcome: string) => ({
  when,
  // biome-ignore lint/suspicious/noThenProperty: a text, which no promise takes for a function
  then: outcome,
});

/** Returns the description of the provider (children/http-provider.ts), with one message a request or several. */
const describe = (port: number, isBatch: boolean) => ({
  send: {
    url: `http://127.0.0.1:${port}/messages`,
    body: {
      json: {
        messages: [
          { id: '{id}', from: '{from}', to: '{to.plus}', text: '{text}', report: '{origin}/reports' },
        ],
      },
    },
    ...(isBatch && { batch: { list: '/messages', max: BATCH } }),
  },
  answer: isBatch
    ? {
        rules: [rule({ status: 429 }, 'throttled')],
        items: {
          each: '/messages/*',
          ref: '/id',
          rules: [rule({ at: '/state', is: 'accepted' }, 'accepted')],
        },
      }
    : { rules: [rule({ at: '/messages/0/state', is: 'accepted' }, 'accepted')] },
  reports: { each: '/reports/*', id: '/id', status: '/state', states: { DELIVERED: 'delivered' } },
});

/** Measures the same messages over a provider with an HTTP interface, with one message a request and with batches. */
export async function httpBatches(options: ComparedServicesOptions): Promise<Compared[]> {
  const provider = await startChild('http-provider.ts');
  const port = await provider.ask<number>('listen');
  const folder = join(options.folder, 'http-carriers');
  await mkdir(folder);
  const settingsOf = async (name: string, isBatch: boolean) => {
    const file = join(folder, `${name}.json`);
    const connector = {
      ...{ name: 'provider', description: describe(port, isBatch), pathSecret: PATH_SECRET, window: WINDOW },
      allowPrivate: true,
    };
    await writeFile(file, JSON.stringify({ http: [connector] }));
    return { CARRIERS_FILE: file, SMPP_URL: '' };
  };
  const rows = await compareServices(options, 'http-batches', [
    { label: 'a message each', settings: await settingsOf('one', false) },
    { label: `up to ${BATCH} messages`, settings: await settingsOf('batch', true) },
  ]);
  const { requests, messages } = await provider.ask<{ requests: number; messages: number }>('counts');
  options.progress(`the provider got ${messages} messages in ${requests} requests`);
  return rows;
}

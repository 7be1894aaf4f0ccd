import assert from 'node:assert/strict';
import { test } from 'node:test';
import { covers } from '../../conformance/covers.ts';
import { Installation } from '../../support/process.ts';
import {
  ended,
  gateBeforeChunk,
  gateBeforePhone,
  type Job,
  json,
  localPhone,
  refusedLines,
  storedPhone,
  v1,
} from './support.ts';

// A chunk and a half: the program is killed in the first and in the second. Every tenth row is bad.
const ROWS = 40_000;
const KILLS = [10_000, 35_000];
const isBad = (index: number) => index % 10 === 9;

test(
  'imports and exports continue after kill -9 where they stopped: nothing is skipped, repeated or miscounted',
  covers('v1.restart'),
  async (context) => {
    const installation = new Installation({ SANDBOX: 'on' });
    let program = await installation.start();
    const account = await installation.account(program.url, 'importer', 10);
    const sql = await installation.sql();
    const api = () => v1(program.url, account.token);
    const newList = async () => {
      const response = await fetch(`${program.url}/api`, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.token}` },
        body: JSON.stringify({ newCL: { user: { username: account.username }, cl: { name: 'list' } } }),
      });
      return (await json<{ identifiers: string[] }>(response)).identifiers[0]!;
    };
    /** What the database has of a list: by its own count, and in truth. */
    const counts = async (list: string) => {
      const [row] = await sql<{ count: number; contacts: number }[]>`
      SELECT count, (SELECT count(*) FROM contacts WHERE list_id = ${Number(list)}) AS contacts
      FROM contact_lists WHERE id = ${Number(list)}`;
      return [row!.count, row!.contacts];
    };

    const list = await newList();
    const rows = Array.from({ length: ROWS }, (_, index) =>
      isBad(index) ? `bad,${index}\n` : `${localPhone(index)},"row\n${index}"\n`,
    );
    const gateAt = (index: number) => gateBeforePhone(context, sql, account.id, list, storedPhone(index));
    let gate = await gateAt(KILLS[0]!);
    const { id } = await json<Job>(
      api().post(`/contact-lists/${list}/import`, `phone,row\n${rows.join('')}`),
      202,
    );
    let seen = 0;
    for (const [index, kill] of KILLS.entries()) {
      await gate.reached();
      const job = await json<Job>(api().get(`/imports/${id}`));
      assert.equal(job.state, 'running');
      assert.ok(job.rows > seen && job.rows <= kill, `${job.rows} rows at the kill at ${kill}`);
      seen = job.rows;
      await program.kill();
      await gate.open();
      assert.deepEqual(await counts(list), [job.added, job.added]);
      const next = KILLS[index + 1];
      if (next !== undefined) gate = await gateAt(next);
      program = await installation.start();
    }
    const done = await ended(api(), `/imports/${id}`);
    assert.deepEqual(
      [done.state, done.rows, done.added, done.present, done.refused],
      ['done', ROWS, ROWS * 0.9, 0, ROWS * 0.1],
    );
    assert.deepEqual(await counts(list), [ROWS * 0.9, ROWS * 0.9]);
    // Line 1 is the names; each row is two lines, a bad one is one.
    const bad = Array.from({ length: ROWS / 10 }, (_, index) => 2 + index * 19 + 18);
    assert.deepEqual(await refusedLines(api(), id), bad);

    // Another import keeps the worker busy until the gate in the export's way is closed.
    const busy = await newList();
    gate = await gateBeforePhone(context, sql, account.id, busy, storedPhone(0));
    await json<Job>(api().post(`/contact-lists/${busy}/import`, `${localPhone(0)}\n`), 202);
    await gate.reached();
    const exported = (await json<Job>(api().post(`/contact-lists/${list}/export`), 202)).id;
    const exportGate = await gateBeforeChunk(context, sql, account.id, exported, 2);
    await gate.open();
    await exportGate.reached();
    assert.equal((await json<Job>(api().get(`/exports/${exported}`))).rows, 20_000);
    await program.kill();
    await exportGate.open();
    program = await installation.start();
    assert.equal((await ended(api(), `/exports/${exported}`)).rows, ROWS * 0.9);
    const [file, atOnce] = await Promise.all(
      [`/exports/${exported}/file`, `/contact-lists/${list}/export`].map(async (path) =>
        (await api().get(path)).text(),
      ),
    );
    assert.equal(file, atOnce);
    assert.equal(file!.split('\r\n').length, ROWS * 0.9 + 2);
  },
);

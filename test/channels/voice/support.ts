import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  bundledEspeak,
  createEspeak,
  hasEspeak,
  installedEspeak,
} from '../../../server/channels/voice/speech/espeak.ts';
import { readWav } from '../../../server/channels/voice/speech/wav.ts';
import { readAloud } from '../../../server/kit/text/read-aloud.ts';
import { atEnd } from '../../support/database.ts';
import { type Answer, DEMO_TOKEN, startTestService, type TestService } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A call as the sandbox's API shows it. */
export interface ShownCall {
  readonly id: string;
  readonly from: string;
  readonly text: string;
  readonly seconds: number;
  readonly ended: 'caller' | 'callee';
  readonly audio: string;
  readonly at: string;
}

/** A message as it is stored. */
export interface StoredLeg {
  readonly id: number;
  readonly channel: number;
  readonly phone: string;
  readonly source: string;
  readonly text: string | null;
  readonly parts: number;
  readonly price: number;
  readonly status: number;
  readonly code: string | null;
}

export const authorization = { authorization: `Bearer ${DEMO_TOKEN}` };

/** The service with a sandbox whose phones answer at once, and a folder of its own for rendered speech. */
export async function startVoiceService(settings: Record<string, string> = {}): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'carillon-voice-'));
  const service = await startTestService({
    settings: {
      DATA_DIR: folder,
      SANDBOX_RING_MS: '20',
      VOICE_PAUSE_MS: '200',
      VOICE_HOURS: '00:00-24:00',
      ...settings,
    },
  });
  // After the service has stopped: steps at the end are taken in turn.
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return service;
}

/** Calls that a phone of the sandbox answered and that are over, oldest first. */
export async function callsAt({ url }: Pick<TestService, 'url'>, number: string): Promise<ShownCall[]> {
  const response = await fetch(`${url}/v1/sandbox/phones/${number}`, { headers: authorization });
  assert.equal(response.status, 200);
  return ((await response.json()) as { calls: ShownCall[] }).calls;
}

/** The first call that a phone answers, when it is over. */
export function callAt(service: Pick<TestService, 'url'>, number: string): Promise<ShownCall> {
  return waitFor(`a call at ${number}`, async () => (await callsAt(service, number))[0]);
}

/** What was heard in a call. */
export async function heardIn({ url }: Pick<TestService, 'url'>, call: ShownCall): Promise<Int16Array> {
  const response = await fetch(url + call.audio, { headers: authorization });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'audio/wav');
  const { sampleRate, samples } = readWav(Buffer.from(await response.arrayBuffer()));
  assert.equal(sampleRate, 8_000);
  return samples;
}

/** What a text sounds like, rendered anew by the program that the service takes. */
export async function rendered(text: string, rate = 0): Promise<Int16Array> {
  const installed = installedEspeak('espeak-ng');
  const program = (await hasEspeak(installed)) ? installed : bundledEspeak;
  return createEspeak(program).speak({ ...readAloud(text), voice: 'ymMale', rate });
}

/** A sample that is louder than silence and than what the codecs add to it. */
const LOUD = 1_000;
/** How far from where both become loud one is searched in the other, in samples. */
const SEARCHED = 100;

/** How well one piece of audio is found at the beginning of another, from -1 to 1; 1 is itself. */
export function likeness(heard: Int16Array, wanted: Int16Array): number {
  const isLoud = (value: number) => Math.abs(value) > LOUD;
  const wantedPower = wanted.reduce((sum, value) => sum + value * value, 0);
  // Each has a silence before the first word.
  const at = heard.findIndex(isLoud) - wanted.findIndex(isLoud);
  const last = Math.min(at + SEARCHED, heard.length - wanted.length);
  let best = -1;
  for (let lag = Math.max(at - SEARCHED, 0); lag <= last; lag++) {
    let sum = 0;
    let power = 0;
    for (let i = 0; i < wanted.length; i++) {
      sum += heard[lag + i]! * wanted[i]!;
      power += heard[lag + i]! ** 2;
    }
    if (power > 0) best = Math.max(best, sum / Math.sqrt(power * wantedPower));
  }
  return best;
}

/** The messages of a shipment, in the order of their ids. */
export async function legsOf({ sql }: Pick<TestService, 'sql'>, answer: Answer): Promise<StoredLeg[]> {
  const rows = await sql<(Omit<StoredLeg, 'price'> & { price: string })[]>`
    SELECT id, channel, recipient AS phone, source, payload AS text, parts, price, status, code FROM messages
    WHERE shipment_id = ${Number(answer.fields.shipment_id)} ORDER BY id`;
  return rows.map((row) => ({ ...row, price: Number(row.price) }));
}

/** The messages of a shipment once each has its final status. */
export function finalLegsOf(service: TestService, answer: Answer, limitMs = 40_000): Promise<StoredLeg[]> {
  assert.equal(answer.status, 0, answer.message);
  return waitFor(
    'each message to have its final status',
    async () => {
      const legs = await legsOf(service, answer);
      return legs.length > 0 && legs.every(({ status }) => status !== -1) && legs;
    },
    limitMs,
  );
}

let lastKosher = 10_100;

/** A number that takes calls and no SMS, and that no other test of the file uses. */
export const newKosher = (): string => `05271${String(++lastKosher)}`;

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWav } from '../../server/channels/voice/speech/wav.ts';
import { openStream } from '../api/v1/live-support.ts';
import { type ShownCall, startVoiceService } from '../channels/voice/support.ts';
import { addPerson, signedIn } from '../support/console.ts';
import { newPhone } from '../support/phones.ts';
import { DEMO_TOKEN } from '../support/service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Calls on the handset of the console, for whoever has a session of the demo account. */
const service = await startVoiceService();
const { url, demo } = service;
await addPerson(service, 'looks-on', 'viewer', demo.id);
await addPerson(service, 'sends', 'sender', demo.id);
const stranger = await service.addAccount({ username: 'elsewhere' });
await addPerson(service, 'stranger', 'owner', stranger.id);

test('a call appears on the handset when it ends, and plays with the cookie alone', async () => {
  const phone = newPhone();
  const stream = await openStream(`${url}/v1/live?phones=${phone}`, DEMO_TOKEN);
  const answer = await service.call('json', 'sms', {
    source: 'Shop',
    destinations: { phone },
    message: 'Hello',
    tts: { type: 4, repeat: 1, rate: 10 },
  });
  assert.equal(answer.status, 0, answer.message);
  const { data } = await stream.until('the call', ({ type }) => type === 'phone');
  await stream.close();
  assert.equal(data.kind, 'call');
  const viewer = await signedIn(service, 'looks-on');
  assert.equal((await viewer.call('GET', `/sandbox/handsets/${phone}`)).status, 403);
  const sender = await signedIn(service, 'sends');
  const { received } = await sender.ask<{ received: { calls: ShownCall[] } }>(
    'GET',
    `/sandbox/handsets/${phone}`,
  );
  assert.equal(received.calls.length, 1);
  const [call] = received.calls;
  assert.equal(call!.id, (data.call as ShownCall).id);
  assert.deepEqual([call!.from, call!.text, call!.ended], ['037000000', 'Hello', 'caller']);
  assert.ok(call!.seconds > 0);
  // As an <audio> element fetches it: without a header of ours.
  const fetched = (cookie: string | undefined) =>
    fetch(url + call!.audio, {
      headers: cookie === undefined ? {} : { cookie: `carillon_session=${cookie}` },
    });
  const wav = await fetched(sender.cookie);
  assert.equal(wav.status, 200);
  assert.ok(readWav(Buffer.from(await wav.arrayBuffer())).samples.length > 1_000);
  assert.equal((await fetched(viewer.cookie)).status, 403);
  assert.equal((await fetched(undefined)).status, 401);
  assert.equal((await fetched((await signedIn(service, 'stranger')).cookie)).status, 401);
});

test('a sender calls a number in from the handset, a viewer cannot', async () => {
  const path = '/sandbox/phones/036123456/call';
  const sender = await signedIn(service, 'sends');
  const status = await waitFor('the exchange to know the service', async () => {
    const response = await sender.call('POST', path, { to: '037000000' });
    return response.status === 200 && ((await response.json()) as { status: number }).status;
  });
  assert.equal(status, 603);
  const viewer = await signedIn(service, 'looks-on');
  assert.equal((await viewer.call('POST', path, { to: '037000000' })).status, 403);
});

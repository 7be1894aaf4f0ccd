import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWav } from '../../../server/channels/voice/speech/wav.ts';
import { callAt, callsAt, likeness, rendered, startVoiceService } from '../../channels/voice/support.ts';
import { newPhone, newPhones } from '../../support/phones.ts';
import { DEMO_TOKEN } from '../../support/service.ts';
import { waitFor } from '../../support/wait-for.ts';
import { asPerson } from './calls.ts';
import { contactListsOf, json, v1 } from './support.ts';

/** `tts` of `POST /v1/sms` and its estimate, the way of a call, and `POST /v1/speech/preview`. */
const service = await startVoiceService();
await service.appContext.prices.set(0, 'voice', '', '0.5');
const api = v1(service.url, DEMO_TOKEN);
const { newList } = contactListsOf(service);

interface Voiced {
  readonly recipients: number;
  readonly cost: string;
  readonly finishes_at: string;
  readonly voice: {
    text: string;
    calls: number | null;
    call_price: string;
    problem: string | null;
    speech_problem: string | null;
  } | null;
}
interface MessageTimeline {
  readonly id: string;
  readonly channel: string;
  readonly phone: string;
  readonly price: string;
  readonly state: string;
  readonly carrier_status: string | null;
  readonly text: string | null;
  readonly call: { outcome: string; seconds: number | null } | null;
  readonly steps: { step: string }[];
  readonly failure: { key: string; fault: string } | null;
}

const headers = { 'content-type': 'application/json' };
const post = (path: string, body: object, at = api) => at.post(path, JSON.stringify(body), headers);
const estimate = (body: object) => json<Voiced>(post('/sms/estimate', body));
const send = (body: object) => json<{ shipment_id: string }>(post('/sms', { source: 'Shop', ...body }), 202);

function timelinesOf(shipment: string): Promise<MessageTimeline[]> {
  return waitFor(
    'each message to have ended',
    async () => {
      const { messages } = await json<{ messages: MessageTimeline[] }>(
        api.get(`/messages?shipment_id=${shipment}`),
      );
      const open = messages.some(({ state }) => state === 'waiting' || state === 'submitted');
      if (messages.length === 0 || open) return false;
      return Promise.all(messages.map(({ id }) => json<MessageTimeline>(api.get(`/messages/${id}`))));
    },
    40_000,
  );
}

test('an SMS and a call to everyone, estimated as they are charged, each with its way', async () => {
  const phones = newPhones(2);
  const body = { message: 'The code is 4829', phones, tts: { type: 3, rate: 10, repeat: 1 } };
  const told = await estimate(body);
  assert.deepEqual([told.recipients, told.cost], [2, '3']);
  assert.deepEqual(told.voice, {
    text: 'The code is four, eight, two, nine',
    calls: 2,
    call_price: '0.5',
    problem: null,
    speech_problem: null,
  });
  const before = await service.balance();
  const { shipment_id: id } = await send(body);
  assert.equal(await service.balance(), before - 3);
  const timelines = await timelinesOf(id);
  assert.deepEqual(timelines.map(({ channel }) => channel).sort(), ['sms', 'sms', 'voice', 'voice']);
  for (const timeline of timelines.filter(({ channel }) => channel === 'voice')) {
    assert.deepEqual([timeline.state, timeline.price, timeline.call!.outcome], ['delivered', '0.5', 'heard']);
    assert.ok(timeline.call!.seconds! >= 1, timeline.carrier_status!);
    assert.deepEqual(
      timeline.steps.map(({ step }) => step),
      ['accepted', 'submitted', 'delivered'],
    );
  }
  assert.ok(timelines.filter(({ channel }) => channel === 'sms').every(({ call }) => call === null));
  assert.equal((await callAt(service, phones[0]!)).text, 'The code is 4829');
});

test('kosher phones are called, others get an SMS; of a list it is not known who is', async () => {
  const kosher = `05041${newPhone().slice(-5)}`;
  const other = newPhone();
  const body = { message: 'Hello', phones: [kosher, other], tts: { type: 2, repeat: 1 } };
  const told = await estimate(body);
  assert.deepEqual([told.voice!.calls, told.cost], [1, '1.5']);
  const { shipment_id: id } = await send(body);
  const timelines = await timelinesOf(id);
  assert.deepEqual(
    timelines.map(({ phone, channel }) => [phone, channel]).sort(),
    [
      [kosher, 'voice'],
      [other, 'sms'],
    ].sort(),
  );
  const list = await newList({ phone: kosher }, { phone: other });
  const ofList = { message: 'Hello', lists: [list], tts: { type: 2 } };
  assert.deepEqual(await estimate(ofList).then(({ cost, voice }) => [cost, voice!.calls]), ['1.5', null]);
  const everyone = await estimate({ ...ofList, tts: { type: 4 } });
  assert.deepEqual([everyone.cost, everyone.voice!.calls], ['1', 2]);
});

test('a call alone reads no address, and fields of contacts as they are', async () => {
  const body = {
    message: 'Dear [DYNAMIC_FIELD1], look: [link-1]',
    links: [{ id: '1', url: 'https://example.com/a' }],
    dynamic: true,
    lists: [await newList({ phone: newPhone(), df1: 'Dana' })],
    tts: { type: 4, repeat: 1, rate: 10 },
  };
  assert.equal((await estimate(body)).voice!.text, 'Dear, look:');
  const { shipment_id: id } = await send(body);
  const [timeline] = await timelinesOf(id);
  assert.deepEqual([timeline!.channel, timeline!.state], ['voice', 'delivered']);
});

test('a call that is not heard tells why, whose fault it is, and how the last try ended', async () => {
  const number = (ending: string) => newPhone().slice(0, -4) + ending;
  const [declined, missing, early] = [number('0003'), number('0007'), number('0004')];
  const { shipment_id: id } = await send({
    message: 'A long message that takes its time to be read aloud to its end',
    phones: [declined, missing, early],
    tts: { type: 4 },
  });
  const timelines = new Map((await timelinesOf(id)).map((timeline) => [timeline.phone, timeline]));
  const told = (phone: string) => {
    const { failure, call } = timelines.get(phone)!;
    return [failure!.key, failure!.fault, call!.outcome];
  };
  assert.deepEqual(told(declined), ['call-declined', 'recipient', 'declined']);
  assert.deepEqual(told(missing), ['no-such-number', 'customer', 'no_such_number']);
  assert.deepEqual(told(early), ['hung-up', 'recipient', 'ended_early']);

  const busy = number('0001');
  await send({ message: 'Hello', phones: [busy], tts: { type: 4, repeat: 1 } });
  const waiting = await waitFor('the first try', async () => {
    const { messages } = await json<{ messages: MessageTimeline[] }>(api.get(`/messages?phone=${busy}`));
    return (
      messages[0]!.carrier_status !== null && json<MessageTimeline>(api.get(`/messages/${messages[0]!.id}`))
    );
  });
  assert.deepEqual([waiting.state, waiting.call!.outcome], ['waiting', 'busy']);
});

test('more calls than there are lines take longer', async () => {
  const at = (count: number) =>
    estimate({ message: 'Hello', phones: newPhones(count), tts: { type: 4 } }).then(({ finishes_at }) =>
      Date.parse(finishes_at),
    );
  const one = await at(1);
  assert.ok((await at(1_000)) - one > 60_000);
});

test('what cannot be used is refused with its name, and an estimate tells that nothing is left to say', async () => {
  const refused = async (path: string, body: object) => {
    const response = await post(path, body);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return [response.status, error.code, error.message.split(':')[0]];
  };
  const sms = (tts: object, message = 'Hello') => ({ source: 'Shop', message, phones: [newPhone()], tts });
  assert.deepEqual(await refused('/sms', sms({ type: 1 })), [400, 'bad-field', 'tts.type']);
  assert.deepEqual(await refused('/sms', sms({ type: 4, repeat: 6 })), [400, 'bad-field', 'tts.repeat']);
  assert.deepEqual(await refused('/sms', sms({ type: 4, rate: 11 })), [400, 'bad-field', 'tts.rate']);
  assert.deepEqual(await refused('/sms', sms({ type: 4, voice: 'x' })), [400, 'bad-field', 'tts.voice']);
  assert.deepEqual(await refused('/sms', sms({ type: 4 }, '🎈')), [400, 'bad-message', 'message']);
  assert.equal((await estimate({ message: '🎈', tts: { type: 4 } })).voice!.text, '');
  assert.equal((await estimate({ message: 'Hello' })).voice, null);
  assert.deepEqual(await refused('/speech/preview', { text: '🎈' }), [400, 'bad-message', 'text']);
  assert.equal((await post('/speech/preview', { text: 'a'.repeat(1_006) })).status, 400);
});

test('a text is heard before it is sent, by senders, twice a second at most', async () => {
  const account = await service.addAccount({ username: 'listener' });
  const own = v1(service.url, account.token);
  const first = await post('/speech/preview', { text: 'Hello you', rate: 5 }, own);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get('content-type'), 'audio/wav');
  const { sampleRate, samples } = readWav(Buffer.from(await first.arrayBuffer()));
  assert.equal(sampleRate, 8_000);
  assert.ok(likeness(samples, await rendered('Hello you', 5)) > 0.95);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => post('/speech/preview', { text: 'Hello you' }, own)),
  );
  assert.ok(answers.some(({ status }) => status === 429));
  const viewer = await asPerson(service, 'viewer', account.id);
  assert.deepEqual(await viewer.refused('POST', '/speech/preview'), ['not-allowed', undefined, 403]);
});

test('where nothing can speak, the estimate says why, and the send is refused', async () => {
  const silent = await startVoiceService({ VOICE_ESPEAK: '/nowhere/espeak-ng' });
  const there = v1(silent.url, DEMO_TOKEN);
  const body = { message: 'Hello', phones: [newPhone()], tts: { type: 3 } };
  const { voice } = await json<Voiced>(post('/sms/estimate', body, there));
  assert.equal(voice!.problem, '/nowhere/espeak-ng is not installed');
  assert.equal(voice!.speech_problem, voice!.problem);
  const refused = await post('/sms', { source: 'Shop', ...body }, there);
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /makes no calls: \/nowhere\/espeak-ng is not installed/);
  assert.equal((await post('/speech/preview', { text: 'Hello' }, there)).status, 403);
  assert.deepEqual(await callsAt(silent, body.phones[0]!), []);
});

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { SpeechError, type Utterance } from '../../../server/channels/voice/speech/engine.ts';
import {
  createSpeechServer,
  type SpeechServerSettings,
} from '../../../server/channels/voice/speech/speech-server.ts';
import { writeWav } from '../../../server/channels/voice/speech/wav.ts';
import { covers } from '../../conformance/covers.ts';

const utterance: Utterance = { text: 'שלום', language: 'he', voice: 'ymFemale', rate: 10 };
const second = (rate: number) => new Int16Array(rate).map((_, i) => Math.round(8_000 * Math.sin(i / 20)));

interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

const servers: ReturnType<typeof createServer>[] = [];
const engines: ReturnType<typeof createSpeechServer>[] = [];
after(async () => {
  await Promise.all(engines.map((engine) => engine.close()));
  for (const server of servers) server.close();
});

/** A speech server that answers as `answer` does, and what it was asked. */
async function serve(
  answer: (response: ServerResponse) => void,
  { path = '', ...settings }: Partial<SpeechServerSettings> & { path?: string } = {},
) {
  const asked: Asked[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text;
    });
    request.on('end', () => {
      const { method, url: path, headers } = request;
      asked.push({ method, path, authorization: headers.authorization, body: JSON.parse(body) });
      answer(response);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const engine = createSpeechServer({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    key: 'secret',
    model: 'tts-1',
    voices: { ymMale: 'onyx', ymFemale: 'nova' },
    format: 'wav',
    ...settings,
  });
  engines.push(engine);
  return { engine, asked };
}

test(
  'a server is asked as OpenAI documents it, and its WAV becomes 8 kHz',
  covers('B3.engines'),
  async () => {
    const wav = writeWav({ sampleRate: 24_000, samples: second(24_000) });
    const { engine, asked } = await serve((response) => response.end(wav));
    const samples = await engine.speak(utterance);
    assert.ok(Math.abs(samples.length - 8_000) <= 1);
    assert.deepEqual(asked, [
      {
        method: 'POST',
        path: '/v1/audio/speech',
        authorization: 'Bearer secret',
        body: { model: 'tts-1', input: 'שלום', voice: 'nova', response_format: 'wav', speed: 2 },
      },
    ]);
  },
);

test('bare samples are 24 kHz', async () => {
  const pcm = Buffer.from(second(24_000).buffer);
  const { engine, asked } = await serve((response) => response.end(pcm), { format: 'pcm', key: undefined });
  assert.ok(Math.abs((await engine.speak(utterance)).length - 8_000) <= 1);
  assert.equal(asked[0]!.authorization, undefined);
  assert.equal((asked[0]!.body as { response_format: string }).response_format, 'pcm');
});

test('the address works with its path or without', async () => {
  const wav = writeWav({ sampleRate: 8_000, samples: second(8_000) });
  for (const path of ['', '/', '/v1', '/v1/', '/v1/audio/speech']) {
    const { engine, asked } = await serve((response) => response.end(wav), { path });
    await engine.speak(utterance);
    assert.equal(asked[0]!.path, '/v1/audio/speech', path);
  }
});

test('what is no audio is a SpeechError: an error, nothing, text, a redirect', async () => {
  const answers: ((response: ServerResponse) => void)[] = [
    (response) => response.writeHead(500).end('fault'),
    (response) => response.writeHead(401).end('{}'),
    (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    (response) => response.end(),
    (response) => response.end('RIFF and nothing more'),
    (response) => response.destroy(),
  ];
  for (const answer of answers) {
    const { engine } = await serve(answer);
    await assert.rejects(engine.speak(utterance), (error: Error) => {
      assert.ok(error instanceof SpeechError);
      assert.doesNotMatch(error.message, /שלום|secret/);
      return true;
    });
  }
});

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import {
  MediaCheck,
  type MediaCheckMode,
  UnfitMedia,
  type WantedMedia,
} from '../../../server/kit/http/media-check.ts';
import { createGuardedAgent, type SsrfGuardOptions } from '../../../server/kit/http/ssrf-guard.ts';
import { covers } from '../../conformance/covers.ts';

/** Links to media (decisions, "Media links"), against servers on this machine. */
const MIB = 1024 * 1024;
const image: WantedMedia = { extensions: { image: ['png', 'jpg', 'gif', 'jpeg'] } };
const video: WantedMedia = { extensions: { video: ['mp4', 'avi', '3gpp', '3gp'] } };
const document: WantedMedia = { extensions: { document: ['pdf', 'docx', 'txt', 'zip', 'rar'] } };
const card: WantedMedia = { extensions: { image: ['jpg', 'png'], video: ['mp4'] } };

async function serve(listener: RequestListener): Promise<{ base: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.range ?? ''}`.trim());
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Answers like a server of files with one of so many bytes. */
const file =
  (type: string | undefined, bytes: number) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (type !== undefined) response.setHeader('content-type', type);
    if (request.method === 'HEAD') {
      response.writeHead(200, { 'content-length': bytes }).end();
    } else {
      response.writeHead(206, { 'content-range': `bytes 0-0/${bytes}`, 'content-length': 1 }).end('x');
    }
  };

function checker(
  mode: MediaCheckMode = 'on',
  ssrfGuard: SsrfGuardOptions = { allowPrivate: true },
  timeoutMs = 2_000,
) {
  const agent = createGuardedAgent(ssrfGuard);
  after(() => agent.close());
  return new MediaCheck({ agent, mode, timeoutMs });
}

function refused(look: Promise<unknown>, problem: UnfitMedia['problem'], message = /./) {
  return assert.rejects(look, (error) => {
    assert.ok(error instanceof UnfitMedia, String(error));
    assert.deepEqual(error.problem, problem, error.message);
    assert.match(error.message, message);
    return true;
  });
}

test('the limits by kind, to the byte', covers('A2.headerLink', 'chatLimits.media'), async () => {
  const sizes = new Map([
    ['/5.jpg', ['image/jpeg', 5 * MIB]],
    ['/5-and-one.jpg', ['image/jpeg', 5 * MIB + 1]],
    ['/16.mp4', ['video/mp4', 16 * MIB]],
    ['/16-and-one.mp4', ['video/mp4', 16 * MIB + 1]],
    ['/100.pdf', ['application/pdf', 100 * MIB]],
    ['/100-and-one.pdf', ['application/pdf', 100 * MIB + 1]],
  ] as const);
  const { base } = await serve((request, response) => {
    const [type, bytes] = sizes.get(request.url as '/5.jpg')!;
    file(type, bytes)(request, response);
  });
  const media = checker();
  assert.equal(await media.check(`${base}/5.jpg`, image), 'image');
  await refused(media.check(`${base}/5-and-one.jpg`, image), 'size', /^over 5 MB$/);
  assert.equal(await media.check(`${base}/16.mp4`, video), 'video');
  await refused(media.check(`${base}/16-and-one.mp4`, video), 'size', /^over 16 MB$/);
  assert.equal(await media.check(`${base}/100.pdf`, document), 'document');
  await refused(media.check(`${base}/100-and-one.pdf`, document), 'size', /^over 100 MB$/);
});

test('the type that the server tells counts before the extension', covers('chat.media links'), async () => {
  const types: Record<string, string | undefined> = {
    '/a.jpg': 'image/png; charset=binary',
    '/b.jpg': 'text/html; charset=utf-8',
    '/c.mp4': 'image/jpeg',
    '/d.php': 'IMAGE/JPEG',
    '/e': 'image/gif',
    '/f.jpg': 'application/octet-stream',
    '/g.exe': 'application/octet-stream',
    '/h.jpg': undefined,
    '/i': 'application/octet-stream',
  };
  const { base } = await serve((request, response) => file(types[request.url!], 10)(request, response));
  const media = checker();
  for (const good of ['/a.jpg', '/c.mp4', '/d.php', '/e', '/f.jpg', '/h.jpg', '/i']) {
    assert.equal(await media.check(base + good, image), 'image', good);
  }
  for (const bad of ['/b.jpg', '/g.exe']) await refused(media.check(base + bad, image), 'type', /png, jpg/);
  await refused(media.check(`${base}/c.mp4`, video), 'type');
});

test('of several kinds, which it is; by the server, or by the extension', async () => {
  const { base } = await serve((request, response) => {
    const type = request.url === '/said' ? 'video/mp4' : undefined;
    file(type, 10)(request, response);
  });
  const media = checker();
  assert.equal(await media.check(`${base}/said`, card), 'video');
  assert.equal(await media.check(`${base}/x.mp4?size=2`, card), 'video');
  assert.equal(await media.check(`${base}/x.PNG#there`, card), 'image');
  await refused(media.check(`${base}/x`, card), 'type', /jpg, png, mp4/);
  await refused(media.check(`${base}/x.gif`, card), 'type');
});

test(
  'a server without HEAD receives a request for the first byte, and a file without a reported size is accepted',
  covers('chat.media links'),
  async () => {
    const { base, asked } = await serve((request, response) => {
      if (request.method === 'HEAD') response.writeHead(request.url === '/none.jpg' ? 405 : 200).end();
      else if (request.url === '/none.jpg') file('image/jpeg', 6 * MIB)(request, response);
      else response.writeHead(200, { 'content-type': 'image/jpeg' }).end('without a length');
    });
    const media = checker();
    await refused(media.check(`${base}/none.jpg`, image), 'size');
    assert.deepEqual(asked, ['HEAD /none.jpg', 'GET /none.jpg bytes=0-0']);
    assert.equal(await media.check(`${base}/chunked.jpg`, image), 'image');
  },
);

test('a large answer to a request for one byte is not read to its end', async () => {
  const length = 64 * MIB;
  let sent = 0;
  const { base } = await serve((request, response) => {
    if (request.method === 'HEAD') return void response.writeHead(501).end();
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': length });
    const more = () => {
      while (!response.destroyed && sent < length) {
        sent += 65_536;
        if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more);
      }
    };
    more();
  });
  await refused(checker().check(`${base}/large.mp4`, video), 'size');
  assert.ok(sent < length / 2, `${sent} bytes were taken`);
});

test('a missing file is refused; a failing server is left to the platform', async () => {
  const { base } = await serve((request, response) => {
    response.writeHead(Number(request.url!.slice(1, 4))).end();
  });
  for (const mode of ['on', 'strict'] as const) {
    const media = checker(mode);
    await refused(media.check(`${base}/404.jpg`, image), 'missing', /404/);
    await refused(media.check(`${base}/410.jpg`, image), 'missing', /410/);
  }
  for (const status of [401, 403, 429, 500, 503]) {
    assert.equal(await checker().check(`${base}/${status}.jpg`, image), 'image');
    await refused(checker('strict').check(`${base}/${status}.jpg`, image), 'missing', /does not answer/);
  }
});

test(
  'a server that is slow, cuts off or is not there',
  covers('chat.media links', 'chat.media links.setting'),
  async () => {
    const slow = await serve(() => {});
    const cut = await serve((request) => request.socket.destroy());
    const half = await serve((request, response) => {
      // Tells the type, and of the size nothing ever.
      if (request.method === 'HEAD') response.writeHead(200, { 'content-type': 'text/html' }).end();
    });
    const nobody = 'http://127.0.0.1:1';
    for (const base of [slow.base, cut.base, nobody]) {
      assert.equal(await checker('on', { allowPrivate: true }, 200).check(`${base}/a.jpg`, image), 'image');
      const strict = checker('strict', { allowPrivate: true }, 200);
      await refused(strict.check(`${base}/a.jpg`, image), 'missing');
      // What the name says is wrong is wrong without an answer too.
      await refused(checker('on', { allowPrivate: true }, 200).check(`${base}/a.exe`, image), 'type');
      await refused(checker('on', { allowPrivate: true }, 200).check(`${base}/a.mp4`, image), 'type');
    }
    await refused(checker('on', { allowPrivate: true }, 200).check(`${half.base}/a.jpg`, image), 'type');
  },
);

test('off asks nobody', covers('chat.media links.setting'), async () => {
  const { base, asked } = await serve(file('text/html', 10 * MIB));
  const media = checker('off');
  assert.equal(await media.check(`${base}/a.jpg`, image), 'image');
  assert.equal(await media.check(`${base}/a`, image), 'image');
  await refused(media.check(`${base}/a.exe`, image), 'type');
  await refused(media.check('ftp://example.com/a.jpg', image), 'address');
  assert.deepEqual(asked, []);
});

test('what is no address, or none that may be called', covers('chat.media links'), async () => {
  const media = checker('on', { allowPrivate: false });
  for (const bad of [
    '',
    'a.jpg',
    '//example.com/a.jpg',
    'ftp://example.com/a.jpg',
    'javascript:alert(1)',
    'https://user:pass@example.com/a.jpg',
    'http://127.0.0.1/a.jpg',
    'http://localhost/a.jpg',
    'http://169.254.169.254/a.jpg',
    'http://[::1]/a.jpg',
  ]) {
    await refused(media.check(bad, image), 'address');
  }
  const https = { ...image, httpsOnly: true };
  await refused(media.check('http://example.com/a.jpg', https), 'address', /https/);
});

test(
  'a name that leads to a private address, and a redirect to one',
  covers('chat.media links'),
  async () => {
    const ssrfGuard: SsrfGuardOptions = {
      allowPrivate: false,
      allowed: ['127.0.0.1/32'],
      lookup: (host, _options, done) =>
        done(null, [{ address: host === 'inside.example.com' ? '10.0.0.7' : '127.0.0.1', family: 4 }]),
    };
    const { base } = await serve((request, response) => {
      const to = {
        '/literal.jpg': 'http://10.0.0.7/a.jpg',
        '/named.jpg': 'http://inside.example.com/a.jpg',
        '/fine.jpg': '/there.jpg',
      }[request.url!];
      if (to === undefined) file('image/jpeg', 10)(request, response);
      else response.writeHead(302, { location: to }).end();
    });
    for (const mode of ['on', 'strict'] as const) {
      const media = checker(mode, ssrfGuard);
      assert.equal(await media.check(`${base}/fine.jpg`, image), 'image');
      await refused(media.check(`${base}/literal.jpg`, image), 'address');
      await refused(media.check(`${base}/named.jpg`, image), 'address');
      await refused(media.check('http://inside.example.com/a.jpg', image), 'address');
    }
  },
);

test('a server receives one request for a link, also from concurrent checks, and one for each kind', async () => {
  const { base, asked } = await serve(file('image/jpeg', 10));
  const media = checker();
  const link = `${base}/a.jpg`;
  await Promise.all(Array.from({ length: 5 }, () => media.check(link, image)));
  await refused(media.check(link, video), 'type');
  await media.check(link, image);
  assert.deepEqual(asked, ['HEAD /a.jpg']);
  await media.check(`${base}/b.jpg`, image);
  assert.equal(asked.length, 2);
});

test('what was said is forgotten after a minute, and when there is much of it', async (context) => {
  const { base, asked } = await serve(file('image/jpeg', 10));
  const media = checker();
  const now = performance.now();
  const clock = context.mock.method(performance, 'now', () => now);
  await media.check(`${base}/a.jpg`, image);
  clock.mock.mockImplementation(() => now + 59_000);
  await media.check(`${base}/a.jpg`, image);
  assert.equal(asked.length, 1);
  clock.mock.mockImplementation(() => now + 61_000);
  await media.check(`${base}/a.jpg`, image);
  assert.equal(asked.length, 2);
});

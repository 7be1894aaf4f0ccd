import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CarrierIncoming, CarrierReceipt } from '../../../engine/carriers/carrier.ts';
import type { Clock } from '../../../kit/clock.ts';
import { addressesIn } from '../../../kit/http/addresses.ts';
import type { Logger } from '../../../kit/observability/log.ts';
import { CarrierDocument } from '../../../protocols/http-carrier/document.ts';
import { carrierRequests } from '../../../protocols/http-carrier/metrics.ts';
import { compileNotices, type NoticeReader } from '../../../protocols/http-carrier/reports.ts';
import {
  CARRIER_REQUESTS_PATH,
  type HttpCarrierSettings,
  signatureOf,
} from '../../../protocols/http-carrier/settings.ts';
import { isSame, isSigned } from '../../../protocols/http-carrier/signatures.ts';

/** Maximum bytes of a request: some hundred reports. */
const MAX_REQUEST = 256 * 1024;

/** Stores the content of requests. Each promise resolves when it is durable. */
export interface CarrierRequestStore {
  receipt(connector: string, receipt: CarrierReceipt): Promise<void>;
  incoming(message: CarrierIncoming): Promise<void>;
}

interface CarrierRequestsOptions {
  /** Connectors that have reports or incoming messages. */
  readonly carriers: () => readonly HttpCarrierSettings[];
  readonly store: CarrierRequestStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
  /** Address of this service for others, without a slash at the end. */
  readonly publicUrl: () => string;
}

type Kind = 'reports' | 'incoming';

/** A connector as its requests need it. */
interface Receiver {
  readonly settings: HttpCarrierSettings;
  readonly read: NoticeReader;
  /** Whether requests may come from an address. */
  readonly isOurs: (address: string) => boolean;
}

/**
 * Reports and incoming messages of providers, a Fastify plugin. A request is accepted only with the secret in its path, from the
 * addresses of the settings and with the signature of the description; otherwise it gets 404, 403 or 401. It is answered with 200
 * when everything in it is stored; 503 asks for a repetition. One that cannot be read gets 400.
 */
export async function carrierRequestsApi(
  app: FastifyInstance,
  options: CarrierRequestsOptions,
): Promise<void> {
  const receivers = new WeakMap<HttpCarrierSettings, Receiver>();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_REQUEST }, (_request, body, done) =>
    done(null, body),
  );

  function find(name: string, secret: string): Receiver | undefined {
    const settings = options.carriers().find((one) => one.name === name);
    // The comparison for an unknown name takes the same time, so that nobody can find names.
    const isRight = isSame(secret, settings?.pathSecret ?? '') && settings?.pathSecret !== undefined;
    if (!settings || !isRight) return undefined;
    let receiver = receivers.get(settings);
    if (!receiver) {
      receiver = receiverOf(settings);
      receivers.set(settings, receiver);
    }
    return receiver;
  }

  for (const kind of ['reports', 'incoming'] as const) {
    const url = `${CARRIER_REQUESTS_PATH}/:connector/:secret/${kind}`;
    const handler = async (request: CarrierRoute, reply: FastifyReply) => {
      const receiver = find(request.params.connector, request.params.secret);
      return receiver ? take(receiver, kind, request, reply, options) : reply.code(404).send();
    };
    app.get(url, { exposeHeadRoute: false }, handler);
    app.post(url, handler);
  }
}

type CarrierRoute = FastifyRequest<{ Params: { connector: string; secret: string } }>;

function receiverOf(settings: HttpCarrierSettings): Receiver {
  const isListed = settings.addresses && addressesIn(settings.addresses);
  return { settings, read: compileNotices(settings.description), isOurs: isListed ?? (() => true) };
}

async function take(
  { settings, read, isOurs }: Receiver,
  kind: Kind,
  request: CarrierRoute,
  reply: FastifyReply,
  options: CarrierRequestsOptions,
) {
  const { name } = settings;
  const { log } = options;
  const about = { link: name, requestId: request.id };
  const finish = (status: number, result: string) => {
    carrierRequests.inc({ link: name, kind, result });
    return reply.code(status).send();
  };
  if (!isOurs(request.ip)) {
    log.warn(about, 'request of a provider from another address refused');
    return finish(403, 'refused');
  }
  const body = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
  if (!(await hasSignature(settings, request, body, options))) {
    log.warn(about, 'request of a provider without the right signature refused');
    return finish(401, 'refused');
  }
  const query = request.originalUrl.split('?')[1] ?? '';
  const document = new CarrierDocument({ headers: request.headers, query, body: body.toString('utf8') });
  const { receipts, incoming, unreadable } = read(document, kind);
  if (unreadable > 0)
    log.warn({ ...about, unreadable }, 'reports or messages of a provider could not be read');
  const count = receipts.length + incoming.length;
  // A repetition would not become readable; but a request about other events is right.
  if (count === 0) return unreadable > 0 ? finish(400, 'unreadable') : finish(200, 'empty');
  try {
    await Promise.all([
      ...receipts.map((receipt) => options.store.receipt(name, receipt)),
      ...incoming.map((message) => options.store.incoming(message)),
    ]);
  } catch (error) {
    log.warn(
      { ...about, err: error },
      'request of a provider not stored, the provider is asked to repeat it',
    );
    return finish(503, 'failed');
  }
  return finish(200, 'stored');
}

async function hasSignature(
  settings: HttpCarrierSettings,
  request: CarrierRoute,
  body: Buffer,
  { clock, publicUrl }: CarrierRequestsOptions,
): Promise<boolean> {
  const signature = signatureOf(settings);
  if (!signature) return true;
  const { method, headers, originalUrl } = request;
  const url = publicUrl() + originalUrl;
  return isSigned({ method, url, headers, body, now: clock.now() }, signature, settings.secrets);
}

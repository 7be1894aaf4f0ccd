import { Loop } from '../../kit/loop.ts';
import type { CoreContext } from '../../run/services.ts';
import { SmppBinds } from './binds.ts';
import { SmppClients } from './clients.ts';
import { DeliveryRows } from './delivery-rows.ts';
import { recordIncoming } from './incoming.ts';
import { SmppMessages } from './messages.ts';
import { SmppParts } from './parts.ts';
import { Replacer } from './replacer.ts';
import { Requests } from './requests.ts';
import { SmppServer } from './server.ts';
import { SignIn } from './sign-in.ts';
import { Submitter } from './submitter.ts';

type SmppDeps = Pick<
  CoreContext,
  | 'sql'
  | 'ids'
  | 'clock'
  | 'log'
  | 'secrets'
  | 'config'
  | 'owner'
  | 'has'
  | 'accounts'
  | 'people'
  | 'events'
  | 'sendKeys'
  | 'acceptor'
  | 'canceller'
  | 'contactLists'
  | 'sources'
  | 'numbers'
  | 'links'
  | 'removalWord'
  | 'verifySources'
>;

const DAY = 86_400_000;
/** Milliseconds between two reads of the clients by a process without the server. */
const REFRESH_MS = 2_000;
/** Least limit of connections without a bind from one address: a client may open all its binds together. */
const LEAST_PER_ADDRESS = 20;

/** Everything about SMPP clients. */
export type SmppModule = ReturnType<typeof openSmpp>;

/** Creates the module; `start` opens the listeners, in a process that takes requests. */
export function openSmpp(deps: SmppDeps) {
  const { sql, clock, config, events, owner, log } = deps;
  const isOn = config.SMPP_SERVER_PORT !== undefined || config.SMPP_SERVER_TLS_PORT !== undefined;
  const clients = new SmppClients(deps);
  const binds = new SmppBinds(sql, owner);
  let server: SmppServer | undefined;
  const messages = new SmppMessages({
    ...deps,
    keepMs: config.SMPP_SERVER_RECEIPT_DAYS * DAY,
    announce: (clientIds) => server?.announce(clientIds),
    receivers: () => server,
  });
  const parts = new SmppParts({ ...deps, messages, waitMs: config.SMPP_SERVER_PART_SECONDS * 1_000 });
  const submitter = new Submitter({
    ...deps,
    services: deps,
    parts,
    sendKeyTag: config.SMPP_SERVER_SEND_KEY_TAG,
  });
  if (isOn) {
    events.observe({
      types: ['message.status'],
      wants: (accountId) => clients.cachedOf(accountId).length > 0,
      record: (tx, accountId, happened) => messages.recordEvents(tx, accountId, happened),
    });
    events.observe({
      types: ['sms.incoming'],
      wants: (accountId) => clients.cachedOf(accountId).some(({ incoming }) => incoming),
      record: (tx, accountId, happened) => recordIncoming(tx, accountId, happened, { clients, messages }),
    });
  }
  if (isOn && deps.has('api')) {
    server = new SmppServer({
      log,
      settings: listenersOf(config),
      limits: {
        unbound: config.SMPP_SERVER_UNBOUND,
        unboundPerAddress: Math.max(LEAST_PER_ADDRESS, Math.ceil(config.SMPP_SERVER_UNBOUND / 10)),
      },
      ...{ clients, binds },
      signIn: new SignIn({ ...deps, clients, binds, throttle: deps.people.throttle }),
      requests: new Requests({
        ...deps,
        submitter,
        messages,
        replacer: new Replacer({ ...deps, submitter }),
      }),
      rows: new DeliveryRows({ sql, clock, boot: owner }),
      finished: messages.finished,
    });
  }
  const refresh = new Loop({
    owner: 'module smpp-server',
    everyMs: REFRESH_MS,
    step: () => clients.refresh(),
    log,
    failed: 'SMPP clients not read',
  });
  return {
    /** Whether the settings have the server, here or in another process. */
    isOn,
    /** Ports in the settings, without TLS and with it; null for one that is off. */
    settings: { port: config.SMPP_SERVER_PORT ?? null, tlsPort: config.SMPP_SERVER_TLS_PORT ?? null },
    clients,
    binds,
    messages,
    submitter,
    /** Ports of the listeners of this process. */
    ports: () => server?.ports,
    async start(): Promise<void> {
      if (!isOn) return;
      await clients.refresh();
      refresh.start();
      await server?.start();
    },
    async stop(graceMs: number): Promise<void> {
      await server?.stop(graceMs);
      await refresh.stop();
    },
  };
}

function listenersOf(config: SmppDeps['config']) {
  const { SMPP_SERVER_TLS_PORT: port, SMPP_SERVER_CERTIFICATE: certificate, SMPP_SERVER_KEY: key } = config;
  return {
    host: config.SMPP_SERVER_HOST,
    port: config.SMPP_SERVER_PORT,
    handshakes: config.SMPP_SERVER_UNBOUND,
    tls: port === undefined ? undefined : { port, certificate: certificate!, key: key! },
  };
}

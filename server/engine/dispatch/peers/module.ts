import { defineModule } from '../../../run/define-module.ts';
import { installationKey } from '../../../secrets/installation-keys.ts';
import { PeerServer } from './peer-server.ts';
import { Peers } from './peers.ts';

declare module '../../../run/services.ts' {
  interface Services {
    /** Undefined for a process that is alone. */
    readonly peers: Peers | undefined;
    readonly peerServer: PeerServer | undefined;
  }
}

/** Purpose of the key with which processes prove that they belong to one installation. */
const PURPOSE = 'peers';

/** Hands accepted messages over to dispatchers in other processes of this machine. */
export const peers = defineModule({
  name: 'peers',
  needs: ['sql', 'clock', 'log', 'placements', 'process', 'secrets', 'database', 'validityMs'],
  async open(needs) {
    const { sql, secrets, database } = needs;
    if (database.isAlone) return { peers: undefined, peerServer: undefined };
    const deps = { ...needs, key: await installationKey(sql, secrets, PURPOSE) };
    return { peers: new Peers(deps), peerServer: new PeerServer(deps) };
  },
  stages: ({ peers, peerServer, permits, lateBound: { dispatcher } }) => [
    { name: 'peers', start: () => peers?.start(), stop: () => peers?.stop() },
    {
      name: 'messages of peers',
      start: () => (dispatcher ? peerServer?.start({ dispatcher, permits }) : undefined),
      stop: (graceMs) => peerServer?.stop(graceMs),
    },
  ],
});

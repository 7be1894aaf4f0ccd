import { channels } from '../../../server/channels/index.ts';
import { pushChannel } from './channel.ts';

// The line of the channel, which stands in server/channels/index.ts for a channel of the product.
channels.add(pushChannel);

import { serve } from '../../api/v1/kit/route.ts';
import { defineModule } from '../../run/define-module.ts';
import { measureWallets } from './metrics.ts';
import { Subscribers } from './subscribers.ts';
import { accountsTables } from './tables.ts';
import { operatorAccountRoutes } from './v1/operator-accounts.ts';
import { operatorPriceRoutes } from './v1/operator-prices.ts';
import { accountPasswordRoutes } from './v1/password.ts';
import { priceRoutes } from './v1/prices.ts';
import { accountSettingsRoutes } from './v1/settings.ts';
import { subscriberRoutes } from './v1/subscribers.ts';
import { tokenRoutes } from './v1/tokens.ts';
import { walletRoutes } from './v1/wallet.ts';

declare module '../../run/services.ts' {
  interface Services {
    readonly subscribers: Subscribers;
  }
}

/** Accounts, their tokens, wallets, prices and subscribers. */
export const accounts = defineModule({
  name: 'accounts',
  tables: accountsTables,
  needs: ['sql', 'ids', 'clock', 'accounts', 'wallets'],
  open: (needs) => ({ subscribers: new Subscribers(needs) }),
  stages: ({ accounts, tokenUses, textStorage }) => [
    { name: 'accounts', start: () => accounts.reload() },
    { name: 'text storage', start: () => textStorage.start(), stop: () => textStorage.stop() },
    { name: 'token uses', stop: () => tokenUses.stop() },
  ],
  gauges: [{ isSlow: true, measure: ({ sql }) => measureWallets(sql) }],
  routes: [
    serve(tokenRoutes),
    serve(accountSettingsRoutes),
    serve(accountPasswordRoutes),
    serve(walletRoutes),
    serve(priceRoutes),
    serve(subscriberRoutes),
    serve(operatorAccountRoutes),
    serve(operatorPriceRoutes),
  ],
});

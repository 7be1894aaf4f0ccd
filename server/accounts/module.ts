import { defineModule } from '../define-module.ts';
import { serve } from '../interfaces/v1/kit/route.ts';
import { accountPasswordRoutes } from '../v1/account/password.ts';
import { accountSettingsRoutes } from '../v1/account/settings.ts';
import { subscriberRoutes } from '../v1/account/subscribers.ts';
import { tokenRoutes } from '../v1/account/tokens.ts';
import { walletRoutes } from '../v1/account/wallet.ts';
import { operatorAccountRoutes } from '../v1/operator/accounts.ts';
import { operatorPriceRoutes } from '../v1/operator/prices.ts';
import { measureWallets } from './metrics.ts';
import { Subscribers } from './subscribers.ts';

/** Accounts, their tokens, wallets, prices and subscribers. */
export const accounts = defineModule({
  name: 'accounts',
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
    serve(subscriberRoutes),
    serve(operatorAccountRoutes),
    serve(operatorPriceRoutes),
  ],
});

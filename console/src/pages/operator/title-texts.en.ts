/** The titles of the operator's pages, which the navigation has. */
export const operatorTitles = {
  home: 'Operator overview',
  accounts: 'Accounts',
  prices: 'Price list',
  destinations: 'Destinations',
  network: 'Carriers and queues',
  connectors: 'Connectors',
  routes: 'Routes',
  webhooks: 'Failing webhooks',
  work: 'Background work',
  chat: 'Business numbers',
  sandbox: 'Sandbox',
};

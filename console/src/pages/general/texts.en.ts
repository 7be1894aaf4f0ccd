/** The page of an account. Fetched with it. */
export const general = {
  lead: 'The name and the logo of the account stand on pages for recipients, such as the unsubscribe page.',
  about: 'Account',
  name: 'Name',
  username: 'User name',
  id: 'Account id',
  zone: 'Time zone',
  zoneHint:
    'For everyone who has not chosen their own, and for times without a zone in API requests and answers.',
  zoneOfService: (zone: string) => `As the service: ${zone}`,
  operatorChanges: 'The operator changes the name.',
  logoHint:
    'A picture of at least 200 pixels looks sharp on phones. Pages show it up to 160 pixels wide and 56 pixels high.',
  noLogo: 'No logo. Pages show the first letter of the name.',
  logoOf: (name: string) => `Logo of ${name}`,
  removeLogo: 'Remove logo',
  logoSaved: 'Logo saved.',
  logoRemoved: 'Logo removed.',
};

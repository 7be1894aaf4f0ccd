import { z } from 'zod';
import { accountRoles, roles } from '../../../api/access/roles.ts';
import {
  changes,
  operatorChanges,
  operatorReads,
  proven,
  reads,
  sendsNothing,
} from '../../../api/access/rules.ts';
import { iso, maybeIso, out } from '../../../api/openapi/out.ts';
import { answered } from '../../../api/openapi/shown.ts';
import {
  field,
  flag,
  found,
  idOf,
  listOf,
  notFound,
  oneOf,
  requiredText,
  rowsAnswer,
  text,
  textUpTo,
} from '../../../api/v1/kit/fields.ts';
import { resource } from '../../../api/v1/kit/route.ts';
import { Refusal } from '../../../kit/errors.ts';
import type { CoreContext } from '../../../run/services.ts';
import type { SignInProviderRow } from '../providers/provider.ts';
import type { ProviderInput } from '../providers/providers.ts';
import { isSecondFactorValue, secondFactorValues } from '../providers/second-factor-values.ts';
import type { Session } from '../sessions.ts';
import { slug } from './provider-session.ts';

const MAX_RULES = 100;

const meanings = {
  name: 'Name of the provider, shown to people.',
  issuer: 'Issuer URL; `/.well-known/openid-configuration` is below it.',
  clientId: 'Client id of this service at the provider.',
  scopes: 'Requested scopes; must include `openid`.',
  rules:
    'Rules that assign roles: the first matching rule counts. People without a matching rule cannot sign in.',
  claim:
    'Claim of the ID token or of UserInfo, with dots for nested claims (`realm_access.roles`), or `email_domain`, the domain of a verified email address; null: everybody.',
  value: 'Value of the claim, or one of its values; null for everybody.',
  makes: 'Whether people are added at their first sign-in.',
  links:
    'Whether the first sign-in takes over an existing person whose user name is the verified email address. Their password ends.',
  factors: `Values of \`amr\` or \`acr\` that confirm a second factor, so that this service asks for none. Values that mean a second factor: ${secondFactorValues.map((value) => `\`${value}\``).join(', ')}. If the operator requires a second factor from an account, confirmations of the account's own provider do not count.`,
  domains: 'Email domains for which the sign-in page uses the provider. Operators set them.',
  listed: 'Whether the sign-in page has a button for it.',
  enabled: 'Whether people can sign in with it. `false` ends their sessions.',
  account: 'User name of the account of the people. Null, the default, is only for the role `operator`.',
} as const;

const ruleFields = {
  claim: field(requiredText(200).nullable(), meanings.claim, 'groups'),
  value: field(textUpTo(300).nullable(), meanings.value, 'carillon-senders'),
};
const accountRule = z.object({
  ...ruleFields,
  role: field(oneOf(accountRoles), 'Role of matching people.', 'sender'),
});
const operatorRule = z.object({
  ...ruleFields,
  role: field(oneOf(roles), 'Role of matching people.', 'sender'),
  account: field(textUpTo(100).nullable().default(null), meanings.account, 'demo'),
});
const domain = text
  .toLowerCase()
  .max(253, 'over 253 characters')
  .regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, 'must be a domain like acme.example');
const issuer = textUpTo(500).regex(
  /^https?:\/\/[^\s?#]+$/,
  'must be an address like https://login.acme.example',
);
const scopes = textUpTo(300).refine((given) => given.split(' ').includes('openid'), 'must have openid');

const factorValue = requiredText(200).refine(
  isSecondFactorValue,
  `does not mean a second factor; use ${secondFactorValues.join(', ')}`,
);

const common = {
  slug,
  name: field(requiredText(60), meanings.name, 'Acme'),
  issuer: field(issuer, meanings.issuer, 'https://login.acme.example'),
  client_id: field(requiredText(300), meanings.clientId, 'carillon'),
  client_secret: field(
    requiredText(1_000).nullable(),
    'Client secret, never returned; null: none.',
    'c1i3nt-s3cr3t',
  ),
  scopes: field(scopes, meanings.scopes, 'openid email profile'),
  makes_people: field(flag, meanings.makes, true),
  links_by_email: field(flag, meanings.links, false),
  second_factor_values: field(listOf(factorValue, 20), meanings.factors, ['mfa']),
  enabled: field(flag, meanings.enabled, true),
};
const domains = field(listOf(domain, 50), meanings.domains, []);
const listed = field(flag, meanings.listed, true);
const rulesOf = <T extends z.ZodType>(rule: T, example: object) =>
  field(listOf(rule, MAX_RULES), meanings.rules, [example]);
const accountRules = rulesOf(accountRule, { claim: 'groups', value: 'carillon-senders', role: 'sender' });
const operatorRules = rulesOf(operatorRule, {
  claim: 'groups',
  value: 'carillon-senders',
  role: 'sender',
  account: 'demo',
});
const defaults = {
  client_secret: common.client_secret.default(null),
  scopes: common.scopes.default('openid email profile'),
  makes_people: common.makes_people.default(true),
  links_by_email: common.links_by_email.default(false),
  second_factor_values: common.second_factor_values.default([]),
  enabled: common.enabled.default(true),
};
const accountFields = { ...common, rules: accountRules, domains };
const operatorFields = { ...common, rules: operatorRules, domains, listed };
const newOfAccount = z.object({ ...accountFields, ...defaults, domains: domains.optional() });
const newOfOperator = z.object({
  ...operatorFields,
  ...defaults,
  domains: domains.default([]),
  listed: listed.default(true),
});
const changeOfAccount = z.object(accountFields).partial();
const changeOfOperator = z.object(operatorFields).partial();

const shownRule = {
  claim: out.maybeText(meanings.claim, 'groups'),
  value: out.maybeText(meanings.value, 'carillon-senders'),
};
const answerFields = {
  id: out.id('Id of the provider.', '1774337460000081'),
  slug: out.text('Name in its link.', 'acme'),
  name: out.text(meanings.name, 'Acme'),
  issuer: out.text(meanings.issuer, 'https://login.acme.example'),
  client_id: out.text(meanings.clientId, 'carillon'),
  has_client_secret: out.flag('Whether it has a client secret.', true),
  scopes: out.text(meanings.scopes, 'openid email profile'),
  makes_people: out.flag(meanings.makes, true),
  links_by_email: out.flag(meanings.links, false),
  second_factor_values: out.texts(meanings.factors, ['mfa']),
  domains: out.texts(meanings.domains, ['acme.example']),
  enabled: out.flag(meanings.enabled, true),
  people: out.count('Number of people who sign in with it.', 12),
  sign_in_url: out.text('Direct link to its sign-in.', 'https://carillon.example/sign-in/acme'),
  redirect_uri: out.text(
    'Redirect URI, to be set at the provider.',
    'https://carillon.example/sign-in/acme/callback',
  ),
  logout_uri: out.text(
    'Back-channel logout URI, to be set at the provider.',
    'https://carillon.example/oidc/acme/logout',
  ),
  last_failure: out.maybeText('Reason of the last failed sign-in; null without one.', null),
  last_failure_at: out.maybeTime('Time of that failure'),
  created_at: out.time('Time of creation'),
};
const accountAnswer = z.object({
  ...answerFields,
  rules: z
    .array(z.object({ ...shownRule, role: out.oneOf(accountRoles, 'Role of matching people.', 'sender') }))
    .meta({ description: meanings.rules }),
});
const operatorAnswer = z.object({
  ...answerFields,
  listed: out.flag(meanings.listed, true),
  rules: z
    .array(
      z.object({
        ...shownRule,
        role: out.oneOf(roles, 'Role of matching people.', 'sender'),
        account: answered(z.string().nullable(), meanings.account, 'demo'),
      }),
    )
    .meta({ description: meanings.rules }),
});

type AccountRole = (typeof accountRoles)[number];
type Deps = Pick<CoreContext, 'signInProviders' | 'accounts' | 'pageBase'>;

const route = resource<Deps>('people');
const REFUSALS = ['not-now', 'not-allowed'] as const;
const DESCRIPTION =
  'Adds a provider for OpenID Connect (authorization code with PKCE). Its configuration is fetched, so it has to be reachable.';

/** Sign-in providers of an account, for its owners, and those of the operator. */
export const signInProviderRoutes = [
  route('GET /v1/sign-in-providers', {
    access: reads('owner'),
    operationId: 'listSignInProviders',
    title: 'List sign-in providers of the account',
    description: 'Lists the providers for people of the account, oldest first.',
    answer: rowsAnswer('providers', accountAnswer),
    handler: async ({ accountId }, deps) => ({
      providers: (await deps.signInProviders.providers.list(accountId)).map((row) =>
        showOfAccount(deps, row),
      ),
    }),
  }),
  route('POST /v1/sign-in-providers', {
    access: sendsNothing(proven(changes('owner'))),
    operationId: 'addSignInProvider',
    title: 'Add a sign-in provider of the account',
    description: `${DESCRIPTION} It assigns roles of this account only.`,
    refusals: REFUSALS,
    body: newOfAccount,
    answer: accountAnswer,
    handler: async ({ accountId, session, body, note }, deps) => {
      checkDomains(session, body.domains);
      const input = { domains: [], ...withoutAccounts(body), listed: false } as ProviderInput;
      return showOfAccount(deps, await deps.signInProviders.providers.add(accountId, input, note));
    },
  }),
  route('PATCH /v1/sign-in-providers/:id', {
    access: proven(changes('owner')),
    operationId: 'changeSignInProvider',
    title: 'Change a sign-in provider of the account',
    description:
      'Updates the given fields. Its sessions end when its rules or its issuer change. A new issuer needs the client secret again.',
    refusals: REFUSALS,
    id: idOf('sign-in provider'),
    body: changeOfAccount,
    answer: accountAnswer,
    handler: async ({ accountId, session, id, body, note }, deps) => {
      checkDomains(session, body.domains);
      const changed = await deps.signInProviders.providers.change(accountId, id, withoutAccounts(body), note);
      return showOfAccount(deps, found(changed, 'sign-in provider'));
    },
  }),
  route('DELETE /v1/sign-in-providers/:id', {
    access: proven(changes('owner')),
    operationId: 'removeSignInProvider',
    title: 'Remove a sign-in provider of the account',
    description:
      'Removes the provider and ends its sessions. Its people stay, and need a link for a password to sign in again.',
    id: idOf('sign-in provider'),
    handler: async ({ accountId, id, note }, { signInProviders: { providers } }) => {
      if (!(await providers.remove(accountId, id, note))) throw notFound('sign-in provider');
    },
  }),
  route('GET /v1/operator/sign-in-providers', {
    access: operatorReads,
    operationId: 'listOperatorSignInProviders',
    title: 'List sign-in providers of the operator',
    description: 'Lists the providers for operators and people of accounts, oldest first.',
    answer: rowsAnswer('providers', operatorAnswer),
    handler: async (_call, deps) => ({
      providers: await Promise.all(
        (await deps.signInProviders.providers.list(null)).map((row) => showOfOperator(deps, row)),
      ),
    }),
  }),
  route('POST /v1/operator/sign-in-providers', {
    access: sendsNothing(proven(operatorChanges)),
    operationId: 'addOperatorSignInProvider',
    title: 'Add a sign-in provider of the operator',
    description: `${DESCRIPTION} Its rules can assign the role of operator, and roles of the accounts that they name.`,
    refusals: [...REFUSALS, 'unknown-user'],
    body: newOfOperator,
    answer: operatorAnswer,
    handler: async ({ body, note }, deps) => {
      const input = (await withAccounts(deps, body)) as ProviderInput;
      return showOfOperator(deps, await deps.signInProviders.providers.add(null, input, note));
    },
  }),
  route('PATCH /v1/operator/sign-in-providers/:id', {
    access: proven(operatorChanges),
    operationId: 'changeOperatorSignInProvider',
    title: 'Change a sign-in provider of the operator',
    description:
      'Updates the given fields. Its sessions end when its rules or its issuer change. A new issuer needs the client secret again.',
    refusals: [...REFUSALS, 'unknown-user'],
    id: idOf('sign-in provider'),
    body: changeOfOperator,
    answer: operatorAnswer,
    handler: async ({ id, body, note }, deps) => {
      const input = await withAccounts(deps, body);
      const changed = await deps.signInProviders.providers.change(null, id, input, note);
      return showOfOperator(deps, found(changed, 'sign-in provider'));
    },
  }),
  route('DELETE /v1/operator/sign-in-providers/:id', {
    access: proven(operatorChanges),
    operationId: 'removeOperatorSignInProvider',
    title: 'Remove a sign-in provider of the operator',
    description:
      'Removes the provider and ends its sessions. Its people stay, and need a link for a password to sign in again.',
    id: idOf('sign-in provider'),
    handler: async ({ id, note }, { signInProviders: { providers } }) => {
      if (!(await providers.remove(null, id, note))) throw notFound('sign-in provider');
    },
  }),
];

/**
 * Throws Refusal `not-allowed` for a person who assigns an email domain to a provider, unless they are an
 * operator, because the domain may belong to somebody else.
 */
function checkDomains({ person }: Session, given: readonly string[] | undefined): void {
  if (given === undefined || person.role === 'operator') return;
  throw new Refusal('not-allowed', 'only operators set the domains', 'domains');
}

type Given = z.output<typeof changeOfAccount> | z.output<typeof changeOfOperator>;

/** Converts the given fields for the domain, without the rules. */
function named(given: Given): Partial<ProviderInput> {
  const {
    client_id,
    client_secret,
    makes_people,
    links_by_email,
    second_factor_values,
    rules: _,
    ...rest
  } = given;
  const all: Record<string, unknown> = {
    ...rest,
    clientId: client_id,
    clientSecret: client_secret,
    makesPeople: makes_people,
    linksByEmail: links_by_email,
    secondFactorValues: second_factor_values,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Converts the given fields of an account's provider; its rules apply to that account. */
function withoutAccounts(given: z.output<typeof changeOfAccount>): Partial<ProviderInput> {
  const { rules } = given;
  return { ...named(given), ...(rules && { rules: rules.map((rule) => ({ ...rule, accountId: null })) }) };
}

/** As `withoutAccounts`, for a provider of the operator. Throws Refusal `unknown-user`. */
async function withAccounts(
  { accounts }: Deps,
  given: z.output<typeof changeOfOperator>,
): Promise<Partial<ProviderInput>> {
  if (given.rules === undefined) return named(given);
  const rules = [];
  for (const [i, { account, ...rule }] of given.rules.entries()) {
    const named = account === null ? null : await accounts.byUsername(account);
    if (named === undefined) {
      throw new Refusal('unknown-user', 'there is no such user name', `rules[${i}].account`);
    }
    rules.push({ ...rule, accountId: named?.id ?? null });
  }
  return { ...named(given), rules };
}

/** Response fields that providers of accounts and of the operator have in common. */
function showCommon(deps: Deps, row: SignInProviderRow) {
  const base = deps.pageBase();
  return {
    id: String(row.id),
    slug: row.slug,
    name: row.name,
    issuer: row.issuer,
    client_id: row.clientId,
    has_client_secret: row.clientSecret !== null,
    scopes: row.scopes,
    makes_people: row.makesPeople,
    links_by_email: row.linksByEmail,
    second_factor_values: [...row.secondFactorValues],
    domains: [...row.domains],
    enabled: row.enabled,
    people: row.people,
    sign_in_url: `${base}/sign-in/${row.slug}`,
    redirect_uri: deps.signInProviders.signIns.redirectUri(row.slug),
    logout_uri: `${base}/oidc/${row.slug}/logout`,
    last_failure: row.lastFailure,
    last_failure_at: maybeIso(row.lastFailureAt),
    created_at: iso(row.createdAt),
  };
}

function showOfAccount(deps: Deps, row: SignInProviderRow): z.output<typeof accountAnswer> {
  const rules = row.rules.map(({ claim, value, role }) => ({ claim, value, role: role as AccountRole }));
  return { ...showCommon(deps, row), rules };
}

async function showOfOperator(deps: Deps, row: SignInProviderRow): Promise<z.output<typeof operatorAnswer>> {
  const rules = [];
  for (const { accountId, ...rule } of row.rules) {
    const account = accountId === null ? undefined : await deps.accounts.byId(accountId);
    rules.push({ ...rule, account: account?.username ?? null });
  }
  return { ...showCommon(deps, row), listed: row.listed, rules };
}

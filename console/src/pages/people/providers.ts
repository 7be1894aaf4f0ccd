import { byId, client } from '../../api/client.ts';
import type { Answer } from '../../api/operations.ts';
import { entriesOf } from '../../components/form.tsx';
import type { AccountRole, Team } from './team.ts';

export type Provider =
  | Answer<'/v1/sign-in-providers'>['providers'][number]
  | Answer<'/v1/operator/sign-in-providers'>['providers'][number];

/** A rule as the form has it: texts that may be empty. */
interface RuleValues {
  claim: string;
  value: string;
  role: AccountRole | 'operator';
  account: string;
}

/** A provider as the form has it. */
interface ProviderValues extends Record<string, unknown> {
  name: string;
  slug: string;
  issuer: string;
  client_id: string;
  client_secret: string;
  scopes: string;
  rules: RuleValues[];
  makes_people: boolean;
  links_by_email: boolean;
  factors: string;
  domains: string;
  listed: boolean;
  enabled: boolean;
}

export const emptyRule: RuleValues = { claim: '', value: '', role: 'viewer', account: '' };

/** Initial values of the form. */
export function valuesOf(provider: Provider | undefined): ProviderValues {
  return {
    name: provider?.name ?? '',
    slug: provider?.slug ?? '',
    issuer: provider?.issuer ?? '',
    client_id: provider?.client_id ?? '',
    client_secret: '',
    scopes: provider?.scopes ?? 'openid email profile',
    rules: (provider?.rules ?? []).map((rule) => ({
      claim: rule.claim ?? '',
      value: rule.value ?? '',
      role: rule.role,
      account: ('account' in rule && rule.account) || '',
    })),
    makes_people: provider?.makes_people ?? true,
    links_by_email: provider?.links_by_email ?? false,
    factors: provider?.second_factor_values.join(', ') ?? '',
    domains: provider?.domains.join(', ') ?? '',
    listed: provider === undefined || !('listed' in provider) || provider.listed,
    enabled: provider?.enabled ?? true,
  };
}

/** Adds or changes a provider of a team. An operator sets the domains. */
export async function saveProvider(
  team: Team,
  mayDomains: boolean,
  provider: Provider | undefined,
  values: ProviderValues,
): Promise<unknown> {
  const { factors, domains, rules, client_secret: secret, listed, ...rest } = values;
  const shared = {
    ...rest,
    ...(secret !== '' && { client_secret: secret }),
    ...(mayDomains && { domains: entriesOf(domains) }),
    second_factor_values: entriesOf(factors),
  };
  const ruleOf = ({ claim, value }: RuleValues) =>
    claim.trim() === '' ? { claim: null, value: null } : { claim: claim.trim(), value: value.trim() };
  if (team.operators) {
    const body = {
      ...shared,
      listed,
      rules: rules.map((rule) => ({
        ...ruleOf(rule),
        role: rule.account.trim() === '' ? ('operator' as const) : rule.role,
        account: rule.account.trim() || null,
      })),
    };
    return provider
      ? client.PATCH('/v1/operator/sign-in-providers/{id}', { ...byId(provider.id), body })
      : client.POST('/v1/operator/sign-in-providers', { body });
  }
  const body = {
    ...shared,
    rules: rules.map((rule) => ({ ...ruleOf(rule), role: rule.role as AccountRole })),
  };
  return provider
    ? client.PATCH('/v1/sign-in-providers/{id}', { ...byId(provider.id), body })
    : client.POST('/v1/sign-in-providers', { body });
}

/** Removes a provider of a team. */
export const removeProvider = (team: Team, id: string): Promise<unknown> =>
  team.operators
    ? client.DELETE('/v1/operator/sign-in-providers/{id}', byId(id))
    : client.DELETE('/v1/sign-in-providers/{id}', byId(id));

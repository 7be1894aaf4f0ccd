import { useLocation } from 'wouter';
import { byId, client } from '../../api/client.ts';
import type { Answer, RequestBody } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';

export type Alert = Answer<'/v1/alerts'>['alerts'][number];
export type AlertKind = Alert['kind'];
export type Notification = Alert['notifications'][number];
/** Kinds of rules, with their thresholds and defaults. */
export type AlertKinds = Answer<'/v1/alert-kinds'>;
export type Rule = Answer<'/v1/alert-rules'>['rules'][number];
export type NewRule = RequestBody<'/v1/alert-rules'>;

/** Fields of a rule that can be changed. */
type RuleChange = Omit<NewRule, 'kind' | 'name'> & { readonly name?: string };

/** Alerts of an account, or of the operator: the same pages on other paths. */
export interface AlertScope {
  readonly isOperator: boolean;
  /** The address of the page. */
  readonly home: '/alerts' | '/operator/alerts';
  readonly alerts: '/v1/alerts' | '/v1/operator/alerts';
  readonly open: '/v1/alerts/open' | '/v1/operator/alerts/open';
  readonly rules: '/v1/alert-rules' | '/v1/operator/alert-rules';
  readonly rule: '/v1/alert-rules/{id}' | '/v1/operator/alert-rules/{id}';
  readonly tests: '/v1/alert-rules/{id}/tests' | '/v1/operator/alert-rules/{id}/tests';
  readonly kinds: '/v1/alert-kinds' | '/v1/operator/alert-kinds';
  create(rule: NewRule): Promise<unknown>;
  change(id: string, change: RuleChange): Promise<unknown>;
  remove(id: string): Promise<unknown>;
  test(id: string): Promise<unknown>;
}

const ofAccount: AlertScope = {
  isOperator: false,
  home: '/alerts',
  alerts: '/v1/alerts',
  open: '/v1/alerts/open',
  rules: '/v1/alert-rules',
  rule: '/v1/alert-rules/{id}',
  tests: '/v1/alert-rules/{id}/tests',
  kinds: '/v1/alert-kinds',
  create: (body) => client.POST('/v1/alert-rules', { body }),
  change: (id, body) => client.PATCH('/v1/alert-rules/{id}', { ...byId(id), body }),
  remove: (id) => client.DELETE('/v1/alert-rules/{id}', byId(id)),
  test: (id) => client.POST('/v1/alert-rules/{id}/test', { ...byId(id), body: {} }),
};

const ofOperator: AlertScope = {
  isOperator: true,
  home: '/operator/alerts',
  alerts: '/v1/operator/alerts',
  open: '/v1/operator/alerts/open',
  rules: '/v1/operator/alert-rules',
  rule: '/v1/operator/alert-rules/{id}',
  tests: '/v1/operator/alert-rules/{id}/tests',
  kinds: '/v1/operator/alert-kinds',
  create: (body) => client.POST('/v1/operator/alert-rules', { body }),
  change: (id, body) => client.PATCH('/v1/operator/alert-rules/{id}', { ...byId(id), body }),
  remove: (id) => client.DELETE('/v1/operator/alert-rules/{id}', byId(id)),
  test: (id) => client.POST('/v1/operator/alert-rules/{id}/test', { ...byId(id), body: {} }),
};

/** Owner of the alerts on a page (account or operator), from its address. */
export function useAlertScope(): AlertScope {
  const [location] = useLocation();
  return location.startsWith('/operator/') ? ofOperator : ofAccount;
}

/** The kinds that rules can have. */
export const useKinds = ({ kinds }: AlertScope) => useAnswer(kinds as '/v1/alert-kinds');

/** One rule. */
export const useRule = ({ rule }: AlertScope, id: string) =>
  useAnswer(rule as '/v1/alert-rules/{id}', byId(id));

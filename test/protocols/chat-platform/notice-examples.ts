import type { PlatformFact, StandingFact } from '../../../server/protocols/chat-platform/facts.ts';

/*
 * Notices beside messages and their statuses: one or more of every field of the platform's webhook reference (pages dated
 * March to August 2026), told at 1743451903 of the business account 1029384756, and what each becomes.
 */

interface Example {
  readonly name: string;
  readonly field: string;
  readonly value: object;
  readonly facts: readonly PlatformFact[];
}

const at = 1_743_451_903_000;
const accountId = '1029384756';
const display = { display_phone_number: '+972 55-000-0001' };
const names = {
  message_template_id: 1689556908129832,
  message_template_name: 'order_confirmation',
  message_template_language: 'en_US',
};
const template = {
  accountId,
  templateId: '1689556908129832',
  name: 'order_confirmation',
  language: 'en_US',
  at,
};
const standing = (fact: Pick<StandingFact, 'topic' | 'word'> & Partial<StandingFact>): StandingFact => ({
  kind: 'standing',
  accountId,
  businessNumber: '',
  reason: '',
  restrictions: [],
  at,
  ...fact,
});
const tier = (limit: string, clients: number | null): PlatformFact => ({
  kind: 'tier',
  accountId,
  tier: clients,
  limit,
  at,
});
const ofAccount = (event: string): PlatformFact => ({ kind: 'account', accountId, event });
const partner = { waba_id: '980198427658004', owner_business_id: '2329417887457253' };
const unknown = (field: string, value: object = {}): Example => ({
  name: `${field} is not for this service`,
  field,
  value,
  facts: [{ kind: 'unknown', field }],
});

export const noticeExamples: readonly Example[] = [
  {
    name: 'a business account was deleted',
    field: 'account_update',
    value: { event: 'ACCOUNT_DELETED' },
    facts: [standing({ topic: 'connection', word: 'ACCOUNT_DELETED' })],
  },
  {
    name: 'restrictions with their end',
    field: 'account_update',
    value: {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [
        { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 1641330498 },
        { restriction_type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expiration: 1641330498 },
      ],
    },
    facts: [
      standing({
        topic: 'restriction',
        word: 'ACCOUNT_RESTRICTION',
        restrictions: [
          { type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', until: 1_641_330_498_000 },
          { type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', until: 1_641_330_498_000 },
        ],
      }),
    ],
  },
  {
    name: 'a restriction without an end, with what to do about it',
    field: 'account_update',
    value: {
      event: 'ACCOUNT_RESTRICTION',
      restriction_info: [{ restriction_type: 'RESTRICTED_UTILITY_TEMPLATES', remediation: 'Wait.' }, null],
    },
    facts: [
      standing({
        topic: 'restriction',
        word: 'ACCOUNT_RESTRICTION',
        restrictions: [{ type: 'RESTRICTED_UTILITY_TEMPLATES', until: null }],
      }),
    ],
  },
  {
    name: 'a violation',
    field: 'account_update',
    value: { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'ADULT' } },
    facts: [standing({ topic: 'violation', word: 'ADULT' })],
  },
  {
    name: 'a violation that is not named',
    field: 'account_update',
    value: { event: 'ACCOUNT_VIOLATION' },
    facts: [standing({ topic: 'violation', word: 'ACCOUNT_VIOLATION' })],
  },
  {
    name: 'a ban that is announced',
    field: 'account_update',
    value: {
      event: 'DISABLED_UPDATE',
      ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE', waba_ban_date: 'April 17, 2025' },
    },
    facts: [standing({ topic: 'ban', word: 'SCHEDULE_FOR_DISABLE' })],
  },
  {
    name: 'a ban',
    field: 'account_update',
    value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
    facts: [standing({ topic: 'ban', word: 'DISABLE' })],
  },
  {
    name: 'a ban that was lifted',
    field: 'account_update',
    value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'REINSTATE' } },
    facts: [standing({ topic: 'ban', word: 'REINSTATE' })],
  },
  {
    name: 'a business account left with its phone',
    field: 'account_update',
    value: { event: 'ACCOUNT_OFFBOARDED' },
    facts: [standing({ topic: 'connection', word: 'ACCOUNT_OFFBOARDED' })],
  },
  {
    name: 'a business account is back',
    field: 'account_update',
    value: { event: 'ACCOUNT_RECONNECTED' },
    facts: [standing({ topic: 'connection', word: 'ACCOUNT_RECONNECTED' })],
  },
  {
    name: 'a business account is shared with its partner',
    field: 'account_update',
    value: { event: 'PARTNER_ADDED', waba_info: partner },
    facts: [standing({ topic: 'connection', word: 'PARTNER_ADDED' })],
  },
  {
    name: 'a business account is not shared any more',
    field: 'account_update',
    value: { event: 'PARTNER_REMOVED', waba_info: partner },
    facts: [standing({ topic: 'connection', word: 'PARTNER_REMOVED' })],
  },
  {
    name: 'a business account is not shared any more, since its phone is not used',
    field: 'account_update',
    value: {
      event: 'PARTNER_REMOVED',
      waba_info: partner,
      disconnection_info: { reason: 'PRIMARY_INACTIVITY', initiated_by: 'SYSTEM' },
    },
    facts: [standing({ topic: 'connection', word: 'PARTNER_REMOVED', reason: 'PRIMARY_INACTIVITY' })],
  },
  ...[
    { event: 'AD_ACCOUNT_LINKED', waba_info: { ...partner, ad_account_linked: '980198427534243' } },
    {
      event: 'AUTH_INTL_PRICE_ELIGIBILITY_UPDATE',
      auth_international_rate_eligibility: { exception_countries: [], start_time: 1748780624 },
    },
    { event: 'BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE', country: 'IN' },
    { event: 'MM_LITE_TERMS_SIGNED', waba_info: partner },
    { event: 'PARTNER_APP_INSTALLED', waba_info: partner },
    { event: 'PARTNER_APP_UNINSTALLED', waba_info: partner },
    {
      event: 'PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE',
      partner_client_certification_info: { status: 'APPROVED', rejection_reasons: ['NONE'] },
    },
    {
      event: 'VOLUME_BASED_PRICING_TIER_UPDATE',
      volume_tier_info: { pricing_category: 'UTILITY', tier: '25000001:50000000', region: 'India' },
    },
  ].map(
    (value): Example => ({
      name: `${value.event} is written down only`,
      field: 'account_update',
      value,
      facts: [ofAccount(value.event)],
    }),
  ),
  {
    name: 'a review of a business account',
    field: 'account_review_update',
    value: { decision: 'REJECTED' },
    facts: [standing({ topic: 'review', word: 'REJECTED' })],
  },
  {
    name: 'an alert',
    field: 'account_alerts',
    value: {
      entity_type: 'BUSINESS',
      entity_id: 506914307656634,
      alert_info: {
        alert_severity: 'WARNING',
        alert_status: 'NONE',
        alert_type: 'INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED',
        alert_description: 'Limits cannot be increased at this time.',
      },
    },
    facts: [
      standing({ topic: 'alert', word: 'INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED', reason: 'WARNING' }),
    ],
  },
  {
    name: 'a messaging limit, as a number',
    field: 'business_capability_update',
    value: { max_daily_conversations_per_business: 2000, max_phone_numbers_per_waba: 25 },
    facts: [tier('2000', 2_000)],
  },
  {
    name: 'a messaging limit, as a word',
    field: 'business_capability_update',
    value: { max_daily_conversations_per_business: 'TIER_100K', max_phone_numbers_per_business: 2 },
    facts: [tier('TIER_100K', 100_000)],
  },
  {
    name: 'capabilities without a messaging limit',
    field: 'business_capability_update',
    value: { max_phone_numbers_per_business: 2 },
    facts: [],
  },
  {
    name: 'a name that was approved',
    field: 'phone_number_name_update',
    value: {
      ...display,
      decision: 'APPROVED',
      requested_verified_name: 'Lucky Shrub',
      rejection_reason: null,
    },
    facts: [standing({ topic: 'name', word: 'APPROVED', businessNumber: '972550000001' })],
  },
  {
    name: 'a name that was rejected',
    field: 'phone_number_name_update',
    value: {
      ...display,
      decision: 'REJECTED',
      requested_verified_name: 'Lucky Shrub',
      rejection_reason: 'NAME_EMPLOYEE_ISSUE',
    },
    facts: [
      standing({
        topic: 'name',
        word: 'REJECTED',
        reason: 'NAME_EMPLOYEE_ISSUE',
        businessNumber: '972550000001',
      }),
    ],
  },
  {
    name: 'a higher throughput',
    field: 'phone_number_quality_update',
    value: { ...display, event: 'THROUGHPUT_UPGRADE', current_limit: 'TIER_UNLIMITED' },
    facts: [tier('TIER_UNLIMITED', null)],
  },
  {
    name: 'a number that is being registered, with its messaging limit',
    field: 'phone_number_quality_update',
    value: { ...display, event: 'ONBOARDING', max_daily_conversations_per_business: 'TIER_250' },
    facts: [tier('TIER_250', 250)],
  },
  {
    name: 'a number that was flagged, of older versions',
    field: 'phone_number_quality_update',
    value: { ...display, event: 'FLAGGED', current_limit: 'TIER_10K' },
    facts: [
      tier('TIER_10K', 10_000),
      standing({ topic: 'quality', word: 'RED', businessNumber: '972550000001' }),
    ],
  },
  {
    name: 'a number that is not flagged any more, of older versions',
    field: 'phone_number_quality_update',
    value: { ...display, event: 'UNFLAGGED', current_limit: 'TIER_10K' },
    facts: [
      tier('TIER_10K', 10_000),
      standing({ topic: 'quality', word: 'UNKNOWN', businessNumber: '972550000001' }),
    ],
  },
  {
    name: 'the parts of a template',
    field: 'message_template_components_update',
    value: {
      ...names,
      message_template_title: 'Your order is confirmed!',
      message_template_element: 'Thank you, {{1}}!',
      message_template_buttons: [
        { message_template_button_type: 'URL', message_template_button_text: 'Track' },
      ],
    },
    facts: [{ kind: 'template-changed', accountId }],
  },
  {
    name: 'the quality of a template',
    field: 'message_template_quality_update',
    value: { previous_quality_score: 'GREEN', new_quality_score: 'YELLOW', ...names },
    facts: [{ kind: 'template-quality', ...template, quality: 'YELLOW' }],
  },
  {
    name: 'the quality of a template, in a word of later versions',
    field: 'message_template_quality_update',
    value: { previous_quality_score: 'GREEN', new_quality_score: 'PURPLE', ...names },
    facts: [{ kind: 'template-quality', ...template, quality: 'UNKNOWN' }],
  },
  {
    name: 'a review of a template',
    field: 'message_template_status_update',
    value: {
      event: 'REJECTED',
      ...names,
      reason: 'INVALID_FORMAT',
      message_template_category: 'MARKETING',
      rejection_info: { reason: 'Parameters stand side by side.', recommendation: 'Separate them.' },
    },
    facts: [{ kind: 'template-status', ...template, status: 2, event: 'REJECTED', reason: 'INVALID_FORMAT' }],
  },
  {
    name: 'a template that was locked',
    field: 'message_template_status_update',
    value: { event: 'LOCKED', ...names, reason: null, other_info: { title: 'RATE_LIMITING_PAUSE' } },
    facts: [{ kind: 'template-status', ...template, status: null, event: 'LOCKED', reason: '' }],
  },
  {
    name: 'a category that is to change',
    field: 'template_category_update',
    value: {
      ...names,
      new_category: 'UTILITY',
      correct_category: 'MARKETING',
      category_update_timestamp: 1746082800,
    },
    facts: [
      {
        kind: 'template-category',
        ...template,
        previous: '',
        category: 'UTILITY',
        next: 'MARKETING',
        changesAt: 1_746_082_800_000,
      },
    ],
  },
  {
    name: 'a category that has changed',
    field: 'template_category_update',
    value: { ...names, previous_category: 'UTILITY', new_category: 'MARKETING' },
    facts: [
      {
        kind: 'template-category',
        ...template,
        previous: 'UTILITY',
        category: 'MARKETING',
        next: '',
        changesAt: null,
      },
    ],
  },
  unknown('automatic_events', { automatic_events: [{ event_name: 'LeadSubmitted' }] }),
  unknown('calls', { calls: [{ id: 'wacid.1', event: 'connect' }] }),
  unknown('flows', { event: 'FLOW_STATUS_CHANGE', new_status: 'PUBLISHED' }),
  unknown('group_lifecycle_update', { groups: [{ type: 'group_create' }] }),
  unknown('history', { history: [{ threads: [] }] }),
  unknown('partner_solutions', { event: 'SOLUTION_CREATED', solution_id: '1' }),
  unknown('payment_configuration_update', { configuration_name: 'main' }),
  unknown('security', { event: 'PIN_CHANGED', display_phone_number: '15550783881' }),
  unknown('smb_app_state_sync', { state_sync: [{ type: 'contact', action: 'add' }] }),
];

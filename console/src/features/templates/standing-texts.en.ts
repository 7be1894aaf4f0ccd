/** How business accounts, numbers and templates stand with the chat platform. */
export const standing = {
  quality: 'Quality rating',
  qualities: { high: 'High', medium: 'Medium', low: 'Low', unknown: 'Not rated' },
  /** Of a template. */
  qualityHints: {
    high: 'Few recipients block or report it.',
    medium: 'Some recipients block or report it. The platform may pause it.',
    low: 'Many recipients block or report it. The platform will pause it soon.',
    unknown: 'The platform has not rated it yet.',
  },
  nextCategory: (category: string) => `The platform will change the category to “${category}”`,
  nextCategoryHint:
    'Its content does not match its category. The price of a conversation can change with it.',
  from: 'Date of the change:',
  until: 'Until',
  told: 'Reported',
  reason: 'Reason',
  problems: 'Reported by the platform',
  ban: {
    SCHEDULE_FOR_DISABLE:
      'The business account will be disabled. Request a review in the manager of the platform.',
    DISABLE: 'The business account is disabled. No messages can be sent.',
  },
  restriction: {
    RESTRICTED_ADD_PHONE_NUMBER_ACTION: 'No business numbers can be added.',
    RESTRICTED_BIZ_INITIATED_MESSAGING: 'Templates cannot be sent. Replies within 24 hours still go out.',
    RESTRICTED_CUSTOMER_INITIATED_MESSAGING: 'Messages of recipients cannot be answered.',
    RESTRICTED_UTILITY_TEMPLATES: 'No utility templates can be created.',
    RESTRICTED_DIRECT_SEND_UTILITY_TEMPLATES: 'Utility templates cannot be sent directly.',
    RESTRICTED_BUSINESS_INITIATED_CALLING: 'No calls can be made from the business number.',
    RESTRICTED_USER_INITIATED_CALLING: 'The business number cannot be called.',
    RESTRICTED_BIZ_INITIATED_AND_USER_INITIATED_CALLING: 'No calls can be made or received.',
    RESTRICTED_USER_INITIATED_CALLING_CALL_BUTTON_HIDDEN: 'Recipients do not see the call button.',
  },
  connection: {
    ACCOUNT_DELETED: 'The business account was deleted on the platform.',
    ACCOUNT_OFFBOARDED: 'The business account was disconnected from the platform.',
    PARTNER_REMOVED: 'The business account is no longer shared with this service.',
  },
  review: { REJECTED: 'The platform rejected the business account in its review.' },
  alert: {
    INCREASED_CAPABILITIES_ELIGIBILITY_DEFERRED:
      'A higher messaging limit was put off. Use the number for some days.',
    INCREASED_CAPABILITIES_ELIGIBILITY_FAILED: 'A higher messaging limit was denied.',
    INCREASED_CAPABILITIES_ELIGIBILITY_NEED_MORE_INFO:
      'For a higher messaging limit the business has to be verified.',
    OBA_REJECTED: 'The platform did not make it an official business account.',
    PROFILE_PICTURE_LOST: 'The picture of the business profile was removed.',
  },
  name: { REJECTED: 'The display name was rejected.', DECLINED: 'The display name was rejected.' },
  lowQuality: 'Many recipients block or report the number. The platform may limit it.',
  violation: 'The platform found a violation of its rules',
  other: 'The platform reports',
};

import type { Session } from '../api/session.ts';

/** The session of the page of parts, which asks the service for nothing. */
export const exampleSession: Session = {
  person: { id: '1', username: 'dana', name: 'Dana' },
  role: 'owner',
  account: { id: '2', username: 'shop', name: 'Shop', time_zone: 'Asia/Jerusalem' },
  acting: false,
  sandbox: null,
  language: null,
  theme: null,
  time_zone: null,
  default_time_zone: 'Asia/Jerusalem',
  simulated: false,
  second_factor: false,
  authenticator_app: false,
  has_password: true,
  second_factor_required: false,
  second_factor_pending: false,
  second_factor_by_provider: false,
  has_provider: false,
  proof_seconds: 0,
  proof_methods: ['password'],
  expires_at: '2036-01-01T00:00:00.000Z',
};

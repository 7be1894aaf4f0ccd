/** A request of an account for the request log. */
export const loggedRequest = (accountId: number) => ({
  accountId,
  api: 'sms' as const,
  operation: 'sms',
  status: '0',
  refused: false,
  repeated: false,
  httpStatus: 200,
  duration: 1,
  address: '::1',
  requestId: 'x',
});

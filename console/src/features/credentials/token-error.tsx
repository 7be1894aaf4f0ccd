import { Alert } from '@mantine/core';
import { CarillonError } from '../../api/errors.ts';
import { ErrorNote } from '../../components/states.tsx';

/** What went wrong when a token was created; `limit` says that the account has as many as it may have. */
export function TokenError({ error, limit }: { readonly error: unknown; readonly limit: string }) {
  if (!(error instanceof CarillonError && error.code === 'not-now')) return <ErrorNote error={error} />;
  return (
    <Alert color="orange" role="alert">
      {limit}
    </Alert>
  );
}

import { Alert } from '@mantine/core';
import { CarillonError } from '../../api/errors.ts';
import { ErrorNote } from '../../components/states.tsx';

/** Error of creating a token; `limit` is the text for an account that has reached its maximum number of tokens. */
export function TokenError({ error, limit }: { readonly error: unknown; readonly limit: string }) {
  if (!(error instanceof CarillonError && error.code === 'not-now')) return <ErrorNote error={error} />;
  return (
    <Alert color="orange" role="alert">
      {limit}
    </Alert>
  );
}

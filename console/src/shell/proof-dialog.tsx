import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { client } from '../api/client.ts';
import type { Answer } from '../api/operations.ts';
import { onProofNeeded } from '../api/proof.ts';
import { LazyModal } from '../components/lazy-modal.tsx';
import { useTexts } from '../i18n/use-texts.tsx';

const ProofForm = lazy(() => import('./proof-form.tsx'));

type Methods = Answer<'/v1/session'>['proof_methods'];

/** Above the dialog that sent the request. */
const Z_INDEX = 300;

/** Asks for a proof of identity when a request needs one, which the client of the API then repeats. */
export function ProofDialog() {
  const { proof: t } = useTexts();
  const [methods, setMethods] = useState<Methods>();
  const finish = useRef<(proved: boolean) => void>(() => {});
  useEffect(
    () =>
      onProofNeeded(async () => {
        const data = await client.GET('/v1/session');
        const { promise, resolve } = Promise.withResolvers<boolean>();
        finish.current = resolve;
        setMethods(data.proof_methods);
        return promise;
      }),
    [],
  );
  if (!methods) return null;
  const end = (proved: boolean) => {
    setMethods(undefined);
    finish.current(proved);
  };
  return (
    <Suspense>
      <LazyModal opened onClose={() => end(false)} title={t.title} zIndex={Z_INDEX}>
        <ProofForm methods={methods} onProved={() => end(true)} />
      </LazyModal>
    </Suspense>
  );
}

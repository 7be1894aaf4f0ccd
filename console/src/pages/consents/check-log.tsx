import { Alert, Loader } from '@mantine/core';
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { client } from '../../api/client.ts';
import { ErrorNote } from '../../components/states.tsx';
import { useLanguage, useTexts } from '../../i18n/use-texts.tsx';
import { useConsentTexts } from './texts.ts';

const AT_ONCE = 5_000;

interface Checked {
  readonly count: number;
  readonly brokenAt: number | null;
  readonly complete: boolean;
}

/** Verifies the whole log, some thousand entries at a time, and shows whether it is unchanged. */
export function CheckLog({ onClose }: { readonly onClose: () => void }) {
  const t = useConsentTexts();
  const { common } = useTexts();
  const language = useLanguage();
  const [checked, setChecked] = useState<Checked>({ count: 0, brokenAt: null, complete: false });
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    checkAll(stop.signal, setChecked).catch((problem: unknown) => {
      if (!stop.signal.aborted) setError(problem);
    });
    return () => stop.abort();
  }, []);
  if (error !== undefined) return <ErrorNote error={error} onRetry={onClose} />;
  const { count, brokenAt, complete } = checked;
  const shown = count.toLocaleString(language);
  const look = { withCloseButton: true, closeButtonLabel: common.close, onClose };
  return (
    <div role="status">
      {brokenAt !== null && (
        <Alert
          color="red"
          icon={<CircleAlert />}
          title={t.broken(brokenAt.toLocaleString(language))}
          {...look}
        >
          {t.brokenText}
        </Alert>
      )}
      {brokenAt === null && complete && (
        <Alert color="teal" icon={<CircleCheck />} title={t.whole} {...look}>
          {t.wholeText(shown)}
        </Alert>
      )}
      {brokenAt === null && !complete && (
        <Alert color="blue" icon={<Loader size="xs" aria-hidden />}>
          {t.checking(shown)}
        </Alert>
      )}
    </div>
  );
}

async function checkAll(signal: AbortSignal, show: (checked: Checked) => void): Promise<void> {
  for (let after = 0, count = 0; ; ) {
    const data = await client.GET('/v1/consents/check', {
      query: { after, limit: AT_ONCE },
      signal,
    });
    const { checked, broken_at: brokenAt, position, complete } = data;
    count += checked;
    show({ count, brokenAt, complete });
    if (complete || brokenAt !== null) return;
    after = position;
  }
}

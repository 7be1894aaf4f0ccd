import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect } from 'react';
import { client } from '../api/client.ts';
import { useReachable } from '../api/reachable.ts';
import { useTexts } from '../i18n/use-texts.tsx';

const ASK_AGAIN_MS = 3_000;

/** Banner while the service does not answer. When it answers again, all data on the page is refreshed. */
export function Unreachable() {
  const reachable = useReachable();
  const queryClient = useQueryClient();
  const { shell } = useTexts();
  useEffect(() => {
    if (reachable) return;
    const timer = setInterval(() => void client.GET('/v1/session').catch(() => {}), ASK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      void queryClient.invalidateQueries();
    };
  }, [reachable, queryClient]);
  if (reachable) return null;
  return (
    <Alert color="orange" icon={<CloudOff />} role="status" mb="md">
      {shell.unreachable}
    </Alert>
  );
}

import {
  Alert,
  Button,
  Center,
  Group,
  Skeleton,
  Stack,
  Text,
  ThemeIcon,
  VisuallyHidden,
} from '@mantine/core';
import { CircleAlert, Inbox, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { CarillonError } from '../api/errors.ts';
import type { Dictionary } from '../i18n/en.ts';
import type { ReasonText } from '../i18n/errors.en.ts';
import { reasonText } from '../i18n/load-reasons.ts';
import { useTexts } from '../i18n/use-texts.tsx';

/** Error message in the language of the console, or in the words of the service when the console has no translation. */
export function errorText(error: unknown, texts: Dictionary): string {
  const { common } = texts;
  if (!(error instanceof CarillonError)) return common.errors.fault;
  if (error.code.startsWith('http-5')) return `${common.errors.fault} ${error.message}`;
  const problem = problemText(error, texts);
  const entry = /^\w+\[(\d+)\]/.exec(error.field ?? '')?.[1];
  return entry === undefined ? problem : common.errors.entry(Number(entry) + 1, problem);
}

/** Problem without the name of the field, for display at that field. */
export function problemText(
  { code, reason, params, message }: CarillonError,
  { common }: Dictionary,
): string {
  const { codes } = common.errors;
  const reasons: Readonly<Record<string, ReasonText | undefined>> = common.errors.reasons;
  const problem =
    reason === undefined ? undefined : (reasons[reason]?.(params) ?? reasonText(reason, params));
  const known = problem ?? codes[code.startsWith('http-') ? 'refused' : code];
  return known ?? common.errors.unknown(message.replace(/^[\w.[\]]+: /, ''));
}

/** Statuses of requests that may succeed when they are repeated: too early, too many, or the service was not ready. */
const repeatable = new Set([408, 429, 502, 503, 504]);

/** Whether the same request may succeed later: nothing answered, or the service could not do it just then. */
function mayHelpAgain(error: unknown): boolean {
  if (!(error instanceof CarillonError)) return true;
  return error.httpStatus === undefined || error.httpStatus === 500 || repeatable.has(error.httpStatus);
}

/** Shows an error, with a button to try again where that can help; nothing without an error. */
export function ErrorNote({ error, onRetry }: { readonly error: unknown; readonly onRetry?: () => void }) {
  const texts = useTexts();
  if (error === undefined || error === null) return null;
  return (
    <Alert color="red" icon={<CircleAlert />} role="alert">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{errorText(error, texts)}</Text>
        {onRetry && mayHelpAgain(error) && (
          <Button size="xs" variant="light" color="red" onClick={onRetry}>
            {texts.common.retry}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Empty state of a list with a hint; with active filters, a note that they match nothing. */
export function Empty({
  filters,
  ...all
}: EmptyProps & {
  /** Filters of the list. */
  readonly filters?: { readonly any: boolean };
}) {
  const { filters: t } = useTexts();
  return filters?.any ? <Nothing title={t.nothing} hint={t.nothingHint} /> : <Nothing {...all} />;
}

interface EmptyProps {
  readonly icon?: LucideIcon;
  readonly title?: string;
  readonly hint?: string;
  readonly action?: ReactNode;
}

function Nothing({ icon: Icon = Inbox, title, hint, action }: EmptyProps) {
  const { common } = useTexts();
  return (
    <Center py={48}>
      <Stack align="center" gap="xs" maw={420}>
        <ThemeIcon size={52} radius="xl" variant="light" color="gray">
          <Icon size={26} aria-hidden />
        </ThemeIcon>
        <Text fw={600}>{title ?? common.nothingHere}</Text>
        {hint !== undefined && (
          <Text c="dimmed" size="sm" ta="center">
            {hint}
          </Text>
        )}
        {action !== undefined && <Group mt="xs">{action}</Group>}
      </Stack>
    </Center>
  );
}

/** Stands where something is being fetched. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  const { common } = useTexts();
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>{common.loading}</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have nothing but their place
        <Skeleton key={line} height={line === 0 ? 28 : 18} width={`${100 - ((line * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}

/** Renders the loading, error and data states of a query. Keeps the data on the screen while the query is repeated. */
export function Fetched<T>({
  query,
  lines,
  children,
}: {
  readonly query: {
    readonly data: T | undefined;
    readonly error: unknown;
    readonly refetch: () => Promise<unknown>;
  };
  readonly lines?: number;
  readonly children: (data: T) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading {...(lines !== undefined && { lines })} />;
}

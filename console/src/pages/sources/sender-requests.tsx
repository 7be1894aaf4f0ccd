import { Button, Group, Modal, Stack, Table, Text, Textarea, VisuallyHidden } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { writtenText } from '../../components/direction.ts';
import { useSubmission } from '../../components/form.ts';
import { Page } from '../../components/page.tsx';
import { ErrorNote, Fetched } from '../../components/states.tsx';
import { Phone, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';

type NameRequest =
  paths['/v1/operator/source-requests']['get']['responses'][200]['content']['application/json']['requests'][number];
type Verification =
  paths['/v1/operator/verifications']['get']['responses'][200]['content']['application/json']['verifications'][number];

/** What accounts want to send from and the operator has to answer. */
export default function SenderRequests() {
  const { senderRequests: t } = useTexts();
  return (
    <Page title={t.title} lead={t.lead}>
      <Names />
      <Numbers />
    </Page>
  );
}

const namesKey = ['get', '/v1/operator/source-requests'];

function Names() {
  const { senderRequests: t } = useTexts();
  const queryClient = useQueryClient();
  const query = api.useQuery('get', '/v1/operator/source-requests');
  const [approving, setApproving] = useState<NameRequest>();
  const [refusing, setRefusing] = useState<NameRequest>();
  return (
    <Card title={t.names}>
      <Fetched query={query}>
        {({ requests }) =>
          requests.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noNames}
            </Text>
          ) : (
            <Table.ScrollContainer minWidth={240}>
              <Table verticalSpacing="xs">
                <Table.Caption className="table-caption">{t.names}</Table.Caption>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">{t.name}</Table.Th>
                    <Table.Th scope="col">{t.account}</Table.Th>
                    <Table.Th scope="col" visibleFrom="sm">
                      {t.asked}
                    </Table.Th>
                    <Table.Th scope="col">
                      <VisuallyHidden>{t.approve}</VisuallyHidden>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {requests.map((row) => (
                    <Table.Tr key={`${row.account_id} ${row.source}`}>
                      <Table.Td>
                        <Text fw={600}>
                          <bdi dir="ltr">{row.source}</bdi>
                        </Text>
                        <Text size="sm" c="dimmed" dir="auto">
                          {row.note}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <bdi dir="ltr">{row.username}</bdi>
                      </Table.Td>
                      <Table.Td visibleFrom="sm">
                        <Time at={row.asked_at} />
                      </Table.Td>
                      <Table.Td>
                        <Group gap="xs" justify="flex-end">
                          <Button
                            size="compact-sm"
                            variant="subtle"
                            color="red"
                            aria-label={`${t.refuse}: ${row.source}`}
                            onClick={() => setRefusing(row)}
                          >
                            {t.refuse}
                          </Button>
                          <Button
                            size="compact-sm"
                            aria-label={`${t.approve}: ${row.source}`}
                            onClick={() => setApproving(row)}
                          >
                            {t.approve}
                          </Button>
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Fetched>
      <Confirm
        opened={approving !== undefined}
        onClose={() => setApproving(undefined)}
        title={t.approveTitle(approving?.source ?? '')}
        action={t.approve}
        onConfirm={async () => {
          const { account_id, source } = approving!;
          await client.POST('/v1/operator/source-requests/approve', { body: { account_id, source } });
          notifications.show({ message: t.approved, color: 'teal' });
          await queryClient.invalidateQueries({ queryKey: namesKey });
        }}
      >
        {t.approveText(approving?.username ?? '')}
      </Confirm>
      <Refuse request={refusing} onClose={() => setRefusing(undefined)} />
    </Card>
  );
}

function Refuse({
  request,
  onClose,
}: {
  readonly request: NameRequest | undefined;
  readonly onClose: () => void;
}) {
  const { senderRequests: t, common } = useTexts();
  return (
    <Modal
      opened={request !== undefined}
      onClose={onClose}
      title={t.refuseTitle(request?.source ?? '')}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {request && <RefuseForm request={request} onClose={onClose} />}
    </Modal>
  );
}

function RefuseForm({ request, onClose }: { readonly request: NameRequest; readonly onClose: () => void }) {
  const { senderRequests: t, common } = useTexts();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? t.reasonMissing : null) },
  });
  const { onSubmit, busy, error } = useSubmission(form, async ({ reason }) => {
    const { account_id, source } = request;
    await client.POST('/v1/operator/source-requests/refuse', { body: { account_id, source, reason } });
    notifications.show({ message: t.refused });
    await queryClient.invalidateQueries({ queryKey: namesKey });
    onClose();
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <Textarea
          label={t.reason}
          description={t.reasonHint}
          {...writtenText}
          autosize
          minRows={2}
          maxLength={500}
          data-autofocus
          {...form.getInputProps('reason')}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
          <Button type="submit" color="red" loading={busy}>
            {t.refuse}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Numbers() {
  const { senderRequests: t } = useTexts();
  const queryClient = useQueryClient();
  const query = api.useQuery('get', '/v1/operator/verifications');
  const [confirming, setConfirming] = useState<Verification>();
  return (
    <Card title={t.numbers} lead={t.numbersHint}>
      <Fetched query={query}>
        {({ verifications }) =>
          verifications.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noNumbers}
            </Text>
          ) : (
            <Table.ScrollContainer minWidth={240}>
              <Table verticalSpacing="xs">
                <Table.Caption className="table-caption">{t.numbers}</Table.Caption>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">{t.number}</Table.Th>
                    <Table.Th scope="col">{t.account}</Table.Th>
                    <Table.Th scope="col" visibleFrom="sm">
                      {t.kind}
                    </Table.Th>
                    <Table.Th scope="col" visibleFrom="sm">
                      {t.until}
                    </Table.Th>
                    <Table.Th scope="col">
                      <VisuallyHidden>{t.confirm}</VisuallyHidden>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {verifications.map((row, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a number may be asked for several times
                    <Table.Tr key={index}>
                      <Table.Td>
                        <Phone number={row.phone} />
                      </Table.Td>
                      <Table.Td>
                        <bdi dir="ltr">{row.username}</bdi>
                      </Table.Td>
                      <Table.Td visibleFrom="sm">{row.landline ? t.landline : t.mobile}</Table.Td>
                      <Table.Td visibleFrom="sm">
                        <Time at={row.expires_at} />
                      </Table.Td>
                      <Table.Td ta="end">
                        <Button
                          size="compact-sm"
                          variant="light"
                          aria-label={`${t.confirm}: ${row.phone}`}
                          onClick={() => setConfirming(row)}
                        >
                          {t.confirm}
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Fetched>
      <Confirm
        opened={confirming !== undefined}
        onClose={() => setConfirming(undefined)}
        title={t.confirmTitle}
        action={t.confirm}
        onConfirm={async () => {
          const { account_id, phone } = confirming!;
          await client.POST('/v1/operator/verifications/confirm', { body: { account_id, phone } });
          notifications.show({ message: t.confirmed, color: 'teal' });
          await queryClient.invalidateQueries({ queryKey: ['get', '/v1/operator/verifications'] });
        }}
      >
        <Phone number={confirming?.phone ?? ''} />
        <br />
        {t.confirmText(confirming?.username ?? '')}
      </Confirm>
    </Card>
  );
}

import { Button, Table, Text, VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../api/client.ts';
import { atLeast } from '../../api/session.ts';
import { Card } from '../../components/card.tsx';
import { Confirm } from '../../components/confirm.tsx';
import { Fetched } from '../../components/states.tsx';
import { Count, Phone, StatusBadge, Time } from '../../components/values.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { useSession } from '../../shell/session-context.tsx';

const ROWS = 50;
/** Rules of the brake, which looks at a range; limits go by themselves. */
const liftable: ReadonlySet<string> = new Set(['neighbours', 'conversion']);

/** What was not sent, by which rule, and how to let it through. */
export function Blocks({ span }: { readonly span: { readonly from: string; readonly to: string } }) {
  const { codes: t } = useTexts();
  const { role } = useSession();
  const queryClient = useQueryClient();
  const [lifting, setLifting] = useState<string>();
  const query = api.useQuery('get', '/v1/otp/blocks', { params: { query: { ...span, limit: ROWS } } });
  return (
    <Card title={t.blocks} lead={t.blocksHint}>
      <Fetched query={query}>
        {({ blocks }) =>
          blocks.length === 0 ? (
            <Text size="sm" c="dimmed">
              {t.noBlocks}
            </Text>
          ) : (
            <Table.ScrollContainer minWidth={240}>
              <Table verticalSpacing="xs">
                <Table.Caption className="table-caption">{t.blocks}</Table.Caption>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th scope="col">{t.rule}</Table.Th>
                    <Table.Th scope="col" ta="end">
                      {t.count}
                    </Table.Th>
                    <Table.Th scope="col" visibleFrom="sm">
                      {t.lastPhone}
                    </Table.Th>
                    <Table.Th scope="col" visibleFrom="sm">
                      {t.last}
                    </Table.Th>
                    <Table.Th scope="col">
                      <VisuallyHidden>{t.lift}</VisuallyHidden>
                    </Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {blocks.map((block) => {
                    const lifted = block.lifted_at !== null && block.lifted_at >= block.last_at;
                    return (
                      <Table.Tr key={`${block.first_at} ${block.rule} ${block.prefix}`}>
                        <Table.Td>
                          {t.rules[block.rule] ?? block.rule}
                          <Text size="sm" c="dimmed">
                            <Phone number={`+${block.prefix}…`} />
                          </Text>
                        </Table.Td>
                        <Table.Td ta="end">
                          <Count value={block.count} />
                        </Table.Td>
                        <Table.Td visibleFrom="sm">
                          <Phone number={block.last_phone} />
                        </Table.Td>
                        <Table.Td visibleFrom="sm">
                          <Time at={block.last_at} />
                        </Table.Td>
                        <Table.Td ta="end">
                          {liftable.has(block.rule) && lifted && (
                            <StatusBadge tone="good">{t.lifted}</StatusBadge>
                          )}
                          {liftable.has(block.rule) && !lifted && atLeast(role, 'owner') && (
                            <Button
                              size="compact-sm"
                              variant="light"
                              aria-label={`${t.lift}: ${block.prefix}`}
                              onClick={() => setLifting(block.prefix)}
                            >
                              {t.lift}
                            </Button>
                          )}
                        </Table.Td>
                      </Table.Tr>
                    );
                  })}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Fetched>
      <Confirm
        opened={lifting !== undefined}
        onClose={() => setLifting(undefined)}
        title={t.liftTitle(`+${lifting ?? ''}`)}
        action={t.liftAction}
        onConfirm={async () => {
          await client.POST('/v1/otp/lift', { body: { prefix: lifting! } });
          notifications.show({ message: t.liftDone, color: 'teal' });
          await queryClient.invalidateQueries({ queryKey: ['get', '/v1/otp/blocks'] });
        }}
      >
        {t.liftText}
      </Confirm>
    </Card>
  );
}

import { client } from '../../api/client.ts';
import { useAnswer } from '../../api/queries.ts';
import { useMay } from '../../api/session-context.ts';
import { Card } from '../../components/card.tsx';
import { RowsTable } from '../../components/data-table.tsx';
import { useDialogs } from '../../components/dialogs.tsx';
import { useDone } from '../../components/notify.ts';
import { RowButton } from '../../components/row-button.tsx';
import { Fetched } from '../../components/states.tsx';
import { Muted } from '../../components/text.tsx';
import { Count, Phone, StatusBadge, Time } from '../../components/values.tsx';
import { useCodeTexts } from './texts.ts';

const ROWS = 50;
/** Rules of the fraud guard that block a range and can be lifted; limits expire automatically. */
const liftable: ReadonlySet<string> = new Set(['neighbours', 'conversion']);

/** Blocked codes by rule, with the action that lifts the block. */
export function Blocks({ span }: { readonly span: { readonly from: string; readonly to: string } }) {
  const t = useCodeTexts();
  const mayLift = useMay('owner');
  const done = useDone();
  const { ask } = useDialogs();
  const query = useAnswer('/v1/otp/blocks', { query: { ...span, limit: ROWS } });
  const lift = (prefix: string) =>
    ask({
      title: t.liftTitle(`+${prefix}`),
      text: t.liftText,
      action: t.lift,
      run: async () => {
        await client.POST('/v1/otp/lift', { body: { prefix } });
        await done(t.liftDone, '/v1/otp/blocks');
      },
    });
  return (
    <Card title={t.blocks} lead={t.blocksHint}>
      <Fetched query={query}>
        {({ blocks }) => (
          <RowsTable
            caption={t.blocks}
            rows={blocks}
            rowKey={(block) => `${block.first_at} ${block.kind} ${block.rule} ${block.prefix}`}
            empty={t.noBlocks}
            columns={[
              {
                title: t.rule,
                cell: (block) => (
                  <>
                    {t.rules[block.rule] ?? block.rule}
                    <Muted>{t.kinds[block.kind]}</Muted>
                    <Muted>
                      <Phone number={`+${block.prefix}…`} />
                    </Muted>
                  </>
                ),
              },
              { title: t.count, align: 'end', cell: (block) => <Count value={block.count} /> },
              { title: t.lastPhone, wideOnly: true, cell: (block) => <Phone number={block.last_phone} /> },
              { title: t.last, wideOnly: true, cell: (block) => <Time at={block.last_at} /> },
              {
                title: t.lift,
                hiddenTitle: true,
                align: 'end',
                cell: ({ rule, prefix, lifted_at, last_at }) => {
                  if (!liftable.has(rule)) return null;
                  if (lifted_at !== null && lifted_at >= last_at) {
                    return <StatusBadge tone="good">{t.lifted}</StatusBadge>;
                  }
                  return mayLift ? (
                    <RowButton of={prefix} variant="light" onClick={() => lift(prefix)}>
                      {t.lift}
                    </RowButton>
                  ) : null;
                },
              },
            ]}
          />
        )}
      </Fetched>
    </Card>
  );
}

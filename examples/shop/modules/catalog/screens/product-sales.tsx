/** A tab of each product: how many were sold, and for how much. */
import {
  type Column,
  EmptyState,
  Facts,
  formatDate,
  formatMoney,
  ListContent,
  moreOf,
  type RecordTabProps,
  ScreenLink,
  Section,
  Table,
  usePages,
  useScreenTexts,
} from '@larder-dev/larder/console'
import type { Order, Product } from '../collections.ts'

const texts = {
  en: {
    title: 'Sales',
    orders: 'Orders',
    ordered: 'Ordered',
    quantity: 'Quantity',
    total: 'Total',
    none: 'No sales yet',
  },
}

export default function ProductSales({ record }: RecordTabProps<Product>) {
  const t = useScreenTexts(texts)
  const list = usePages('/v1/data/orders', {
    query: { 'filter[product]': record.id, sort: '-createdAt' },
  })
  const columns: Column<Order>[] = [
    {
      id: 'createdAt',
      title: t.ordered,
      cell: ({ id, createdAt }) => <ScreenLink to={`/collections/orders/${id}`}>{formatDate(createdAt)}</ScreenLink>,
    },
    { id: 'quantity', title: t.quantity, cell: ({ quantity }) => quantity },
    { id: 'total', title: t.total, cell: ({ total }) => formatMoney(total, 'EUR') },
  ]
  const total = list.rows.reduce((sum, order) => sum + order.total, 0)
  return (
    <ListContent
      list={list}
      isEmpty={list.rows.length === 0}
      empty={<EmptyState icon="clipboard-list" title={t.none} />}
    >
      <Facts
        label={t.title}
        facts={[
          [t.quantity, 'quantity', list.rows.reduce((sum, { quantity }) => sum + quantity, 0)],
          [t.total, 'totalText', formatMoney(total, 'EUR')],
        ]}
      />
      <Section title={t.orders}>
        <Table
          label={`${t.orders}: ${record.name}`}
          columns={columns}
          rows={list.rows}
          rowKey={({ id }) => id}
          rowLabel={({ createdAt }) => formatDate(createdAt)}
          {...moreOf(list)}
        />
      </Section>
    </ListContent>
  )
}

/** Products that are nearly sold out, with a button that adds to the stock. */
import {
  api,
  Button,
  type Column,
  EmptyState,
  ErrorState,
  formatMoney,
  Loading,
  Page,
  ScreenLink,
  Table,
  useAction,
  useGet,
  usePermissions,
  useReload,
  useScreenTexts,
} from '@larder-dev/larder/console'
import type { Product } from '../collections.ts'

const LOW_STOCK = 10
const DELIVERY = 50

/** German texts are in `locales/de.yaml`. */
const texts = {
  en: {
    title: 'Low stock',
    product: 'Product',
    price: 'Price',
    stock: 'In stock',
    order: 'Add 50',
    none: 'Enough of everything',
  },
}

export default function Stock() {
  const t = useScreenTexts(texts)
  const { may } = usePermissions()
  const reload = useReload()
  const { isBusy, run } = useAction({ onDone: () => reload('/v1/data/products') })
  const { data, error, isPending, refetch } = useGet('/v1/data/products', {
    query: { 'filter[stock][lt]': LOW_STOCK, sort: 'stock', limit: 100 },
  })
  if (isPending) return <Loading />
  if (error) return <ErrorState error={error} onRetry={refetch} />
  const columns: Column<Product>[] = [
    {
      id: 'name',
      title: t.product,
      cell: ({ id, name }) => <ScreenLink to={`/catalog/stock/${id}`}>{name}</ScreenLink>,
    },
    { id: 'price', title: t.price, cell: ({ price }) => formatMoney(price, 'EUR') },
    { id: 'stock', title: t.stock, cell: ({ stock }) => stock },
  ]
  const add = ({ id, stock, revision }: Product) =>
    run(() =>
      api.patch('/v1/data/products/{id}', {
        path: { id },
        body: { stock: stock + DELIVERY },
        etag: `"${revision}"`,
      }),
    )
  return (
    <Page title={t.title}>
      {data.data.length === 0 ? (
        <EmptyState icon="circle-check" title={t.none} />
      ) : (
        <Table
          label={t.title}
          columns={columns}
          rows={data.data}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          rowActions={
            may('collections.products.update')
              ? product => (
                  <Button isDisabled={isBusy} aria-label={`${t.order}: ${product.name}`} onPress={() => add(product)}>
                    {t.order}
                  </Button>
                )
              : undefined
          }
        />
      )}
    </Page>
  )
}

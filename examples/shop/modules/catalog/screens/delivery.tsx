/** Adds a delivery to the stock of a product. Its address has a parameter: `/catalog/stock/<id>`. */
import {
  api,
  areaCrumbs,
  Button,
  ErrorState,
  Facts,
  fieldErrors,
  formatMoney,
  Loading,
  messageAt,
  Page,
  type Resource,
  recordUrl,
  ScreenLink,
  type ScreenProps,
  TextField,
  UnsavedChanges,
  useAction,
  useNavigate,
  useRecord,
  useRefresh,
  useResource,
  useScreenTexts,
} from '@larder-dev/larder/console'
import { type FormEvent, useState } from 'react'

const texts = {
  en: {
    title: 'Delivery',
    lowStock: 'Low stock',
    price: 'Price',
    stock: 'In stock',
    amount: 'Delivered',
    amountHint: 'Pieces that arrived. They are added to the stock.',
    save: 'Add to the stock',
    saved: 'The stock is up to date.',
    open: 'Open the product',
  },
}

export default function Delivery({ params: { id } }: ScreenProps<'id'>) {
  const products = useResource('collections', 'products')
  return products ? <Form products={products} id={id} /> : <Loading />
}

function Form({ products, id }: { readonly products: Resource; readonly id: string }) {
  const t = useScreenTexts(texts)
  const navigate = useNavigate()
  const refresh = useRefresh(products)
  const { data, error, isPending, refetch } = useRecord<'/v1/data/products/{id}'>(products, id)
  const [amount, setAmount] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const { isBusy, run } = useAction({ onFailure: setFailure })
  if (isPending) return <Loading />
  if (!data) return <ErrorState error={error} onRetry={refetch} />
  const product = data.body
  const save = (event: FormEvent) => {
    event.preventDefault()
    run(async () => {
      const body = { stock: product.stock + Number(amount) }
      await api.patch('/v1/data/products/{id}', { path: { id }, body, etag: data.etag })
      await refresh()
      await navigate({ to: '/catalog/stock', ignoreBlocker: true })
    }, t.saved)
  }
  return (
    <Page
      title={product.name}
      crumbs={[...areaCrumbs('catalog'), { title: t.lowStock, href: '/catalog/stock' }]}
      actions={
        <ScreenLink className="button secondary" to={recordUrl(products, id)}>
          {t.open}
        </ScreenLink>
      }
    >
      <Facts
        label={product.name}
        facts={[
          [t.price, 'priceText', formatMoney(product.price, 'EUR')],
          [t.stock, 'stock', product.stock],
        ]}
      />
      <form className="form" onSubmit={save}>
        <TextField
          label={t.amount}
          hint={t.amountHint}
          type="number"
          min={1}
          required
          value={amount}
          error={messageAt(fieldErrors(failure), '/stock')}
          onChange={setAmount}
        />
        {failure !== undefined && <ErrorState error={failure} />}
        <div className="form-actions">
          <Button kind="primary" type="submit" isDisabled={isBusy || !(Number(amount) > 0)}>
            {t.save}
          </Button>
        </div>
      </form>
      <UnsavedChanges isDirty={amount !== ''} />
    </Page>
  )
}

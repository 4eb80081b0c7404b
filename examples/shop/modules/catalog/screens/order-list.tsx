/** Replaces the list of orders: the generic list, below a notice about products that are nearly sold out. */
import {
  fill,
  ListScreen,
  type ResourceScreenProps,
  ScreenLink,
  useGet,
  useScreenTexts,
  useSearch,
} from '@larder-dev/larder/console'

const LOW_STOCK = 10
const texts = {
  en: { low: '1 product is nearly sold out. || {count} products are nearly sold out.', show: 'Show them' },
}

export default function OrderList({ resource, id }: ResourceScreenProps) {
  const t = useScreenTexts(texts)
  const search = useSearch()
  const { data } = useGet('/v1/data/products', {
    query: { 'filter[stock][lt]': LOW_STOCK, limit: 100 },
  })
  const count = data?.data.length ?? 0
  return (
    <ListScreen resource={resource} id={id} search={search}>
      {count > 0 && (
        <p className="notice info">
          {fill(t.low, { count })} <ScreenLink to="/catalog/stock">{t.show}</ScreenLink>
        </p>
      )}
    </ListScreen>
  )
}

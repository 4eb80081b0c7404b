import test from 'ava'
import { createPageData } from '../../../../modules/collections/services/page-data.ts'
import { toCollections } from './storage/fixtures.ts'

type Visit = Parameters<ReturnType<typeof createPageData>['load']>[1]

test('a parameter without a value drops its own condition alone', async t => {
  const given: unknown[] = []
  const deps = {
    collectionMap: toCollections({ courses: { fields: { price: { type: 'integer' }, level: { type: 'text' } } } }),
    view: () => ({}),
    reader: { list: async (...[, , query]: unknown[]) => given.push(query) },
  }
  const pageData = createPageData({ ...deps, operator: { tenantId: 'ten_1' } } as never)
  const visit = { params: {}, search: '?min=5' } as unknown as Visit
  const filter = { price: { gte: '$query.min', lte: 100 }, level: { eq: '$query.level', ne: 'draft' } }
  await pageData.load({ collection: 'courses', filter }, visit)
  await pageData.load({ collection: 'courses', filter }, { ...visit, search: '' })
  const shared = { 'filter[price][lte]': '100', 'filter[level][ne]': 'draft' }
  const rest = { limit: 50, sort: undefined, expand: undefined, q: undefined }
  t.deepEqual(given, [
    { 'filter[price][gte]': '5', ...shared, ...rest },
    { ...shared, ...rest },
  ])
})

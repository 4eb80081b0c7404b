// Run this file with `node --test`. It starts Larder on a new database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startTestKernel } from '@larder-dev/larder/kernel/testing'

/** @type {import('@larder-dev/larder/kernel/testing').TestKernel} */
let kernel
/** @type {import('@larder-dev/larder/kernel/testing').Person} */
let ada

before(async () => {
  kernel = await startTestKernel({
    folder: fileURLToPath(new URL('.', import.meta.url)),
    recipe: { modules: { identity: {}, collections: {}, catalog: { use: './module.ts' } } },
  })
  ada = await kernel.register('ada@example.test')
})
after(() => kernel?.stop())

async function createProduct(stock) {
  const { status, body } = await ada.post('/v1/data/products', { name: 'Tea', price: 450, stock })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const order = (product, quantity) => ada.post('/v1/data/orders', { product: product.id, quantity })

test('sells at the price of the product', async () => {
  const tea = await createProduct(10)
  const { status, body } = await order(tea, 3)
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.total, 1350)
  assert.equal((await ada.get(`/v1/data/products/${tea.id}`)).body.stock, 7)
})

test('sells exactly the stock under concurrency', async () => {
  const tea = await createProduct(4)
  const replies = await Promise.all(Array.from({ length: 10 }, () => order(tea, 1)))
  assert.equal(replies.filter(({ status }) => status === 201).length, 4)
  assert.ok(replies.every(({ status, body }) => status === 201 || body.code === 'out_of_stock'))
  assert.equal((await ada.get(`/v1/data/products/${tea.id}`)).body.stock, 0)
})

test('does not accept a total from the caller', async () => {
  const tea = await createProduct(1)
  const { status } = await ada.post('/v1/data/orders', { product: tea.id, quantity: 1, total: 1 })
  assert.equal(status, 422)
})

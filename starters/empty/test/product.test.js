// `npm test` runs this file. It starts the recipe on a new database.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startTestKernel } from '@larder-dev/larder/kernel/testing'

/** @type {import('@larder-dev/larder/kernel/testing').TestKernel} */
let kernel

before(async () => {
  kernel = await startTestKernel({ recipe: fileURLToPath(new URL('../recipe.yaml', import.meta.url)) })
})
after(() => kernel?.stop())

test('a person registers and signs in', async () => {
  const ada = await kernel.register('ada@example.test')
  const { status } = await ada.get('/v1/me')
  assert.equal(status, 200)
})

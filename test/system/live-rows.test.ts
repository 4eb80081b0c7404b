/** Rows of a collection in a page that a generated client keeps up to date. */
import { setTimeout as pause } from 'node:timers/promises'
import test from 'ava'
import { MAX_SKEW_MS } from '../../services/topics/limits.ts'
import { startTestKernel } from '../../testing/index.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { openClientPage } from './client-page.ts'
import { createGate } from './gate.ts'

const PAGE = new URL('./live-rows-page.html', import.meta.url)

test('shows rows that others create, change and delete, also after a lost connection', async t => {
  const port = await freePort()
  const gate = await createGate(t, () => port)
  const url = `http://127.0.0.1:${gate.port}`
  const recipe = {
    product: { key: 'acme', name: 'Acme', publicUrl: url },
    modules: { identity: {}, collections: {} },
    collections: {
      notes: {
        fields: { title: { type: 'text', required: true }, done: { type: 'boolean', default: false } },
        access: { read: { 'tenant.member': true } },
      },
    },
  }
  const kernel = await startTestKernel({ env: { PORT: String(port), PUBLIC_URL: url }, recipe })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  const create = async (title: string) =>
    (await ada.post<{ id: string }>('/v1/data/notes', { title })).body as { id: string }
  const change = (id: string, values: object) => ada.patch(`/v1/data/notes/${id}`, values)
  const first = await create('First')

  const page = await openClientPage(t, { url, file: PAGE, recipe, email: ada.email })
  const shown = (id: string) => page.locator(`#${id}`).textContent()
  const becomes = (id: string, text: string) =>
    waitFor(
      () => shown(id),
      value => value === text,
    )

  await becomes('state', 'subscribed')
  await becomes('rows', 'First')

  const second = await create('Second')
  await becomes('rows', 'First,Second')
  await change(first.id, { title: 'Changed' })
  await becomes('rows', 'Changed,Second')
  // A server that has kept messages for a shorter time can't tell whether one is missing.
  await pause(MAX_SKEW_MS + 1000)
  await ada.delete(`/v1/data/notes/${second.id}`)
  await becomes('rows', 'Changed')
  t.is(await shown('messages'), 'created,updated,deleted')

  gate.cut()
  await becomes('state', 'offline')
  await change(first.id, { title: 'Changed offline' })
  const third = await create('Third')
  const fourth = await create('Fourth')
  await ada.delete(`/v1/data/notes/${third.id}`)
  t.is(await shown('rows'), 'Changed')
  gate.open()
  await becomes('rows', 'Changed offline,Fourth')
  t.is(await shown('messages'), 'created,updated,deleted,updated,created,created,deleted')

  // The row no longer matches the filter of the subscription.
  await change(fourth.id, { done: true })
  await becomes('rows', 'Changed offline')
})

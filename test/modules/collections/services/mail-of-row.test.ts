/** The first example of docs/modules.md: its files, as they are printed there. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { startTestKernel } from '../../../../testing/index.ts'

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url))

/** The code block that begins with this path in a comment. */
function blockOf(page: string, path: string): string {
  const [, rest = ''] = page.split(`    // ${path}\n`)
  const [block = ''] = rest.split(/\n\n {4}[/#] ?\/? ?\w+[./]|\n\n(?! {4})/)
  return block.replaceAll(/^ {4}/gm, '')
}

test('the module of the example mails the owners when a row is created', async t => {
  const page = await readFile(join(ROOT, 'docs/modules.md'), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'larder-example-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const path of ['modules/order_mail/module.js', 'modules/order_mail/emails/created.hbs']) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), `${blockOf(page, path)}\n`)
  }
  const kernel = await startTestKernel({
    folder,
    recipe: {
      modules: {
        identity: {},
        comms: { transport: 'mailbox' },
        collections: {},
        order_mail: { use: './modules/order_mail' },
      },
      collections: {
        orders: { fields: { title: { type: 'text', required: true } }, access: { create: { 'tenant.member': true } } },
      },
    },
  })
  t.teardown(() => kernel.stop())
  const ada = await kernel.register('ada@example.test')
  t.is((await ada.post('/v1/data/orders', { title: 'Two chairs' })).status, 201)
  await kernel.settled()
  const { body } = await kernel.get(`/v1/communications/mailbox?filter[to]=${ada.email}`)
  t.true(body.data.some(({ subject }) => subject === 'New order: Two chairs'))
})

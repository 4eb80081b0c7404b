import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { packageRoot } from '../../../../kernel/base/package-root.ts'
import { startTestKernel, type TestKernel } from '../../../../testing/index.ts'

const TEXTS = [
  '**Sea** and <b>air</b>',
  '[home](javascript:alert(1)) <script>alert(2)</script>',
  `# Long\n\n${'*word* '.repeat(400)}`,
  '',
]
const MODULE = `import { defineModule, page } from '@larder-dev/larder/kernel'
const load = async () => ({ data: { rows: ${JSON.stringify(TEXTS.map(text => ({ text })))} } })
export default defineModule({
  name: 'notes',
  pages: () => [page({ name: 'notes.list', path: '/notes', title: 'Notes', allow: 'public', load })],
  templates: new URL('./templates/', import.meta.url),
})
`

async function start(t: ExecutionContext, modules: Readonly<Record<string, object>>): Promise<TestKernel> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-markdown-'))
  t.teardown(() => rm(folder, { recursive: true }))
  await symlink(join(fileURLToPath(packageRoot), 'node_modules'), join(folder, 'node_modules'))
  await mkdir(join(folder, 'notes/templates'), { recursive: true })
  await writeFile(join(folder, 'notes/module.js'), MODULE)
  await writeFile(join(folder, 'notes/templates/list.hbs'), '{{#each rows}}<div>{{markdown text}}</div>{{/each}}')
  const recipe = { modules: { identity: {}, ...modules, notes: { use: './notes' } } }
  const kernel = await startTestKernel({ folder, recipe, role: 'web' })
  t.teardown(() => kernel.stop())
  return kernel
}
const read = async (kernel: TestKernel) => {
  const { status, body } = await kernel.with({ accept: 'text/html' }).get<string>('/notes')
  return { status, body }
}

test('a page renders Markdown of its data, sanitized', async t => {
  const { status, body } = await read(await start(t, { content: {} }))
  t.is(status, 200)
  t.regex(body, /<div><p><strong>Sea<\/strong> and /)
  t.notRegex(body, /href="javascript:|<script>alert/)
  t.regex(body, /<em>word<\/em>/)
  t.regex(body, /<div><\/div>/)
})

test('a page shows Markdown as it was written if no module renders it', async t => {
  const { status, body } = await read(await start(t, {}))
  t.is(status, 200)
  t.true(body.includes('<div><p>**Sea** and &lt;b&gt;air&lt;/b&gt;</p></div>'), body)
  t.notRegex(body, /<script>alert/)
})

/** The package that npm makes of a clone that nobody has built. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { CLEAN_ENV, temporaryFolder } from '../bin/command.ts'

const run = promisify(execFile)
const root = fileURLToPath(packageRoot)

test('npm pack builds a clone before it packs it', async t => {
  t.timeout(600_000)
  const clone = join(await temporaryFolder(t), 'larder')
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
  await symlink(join(root, 'node_modules'), join(clone, 'node_modules'))
  t.false(existsSync(join(clone, 'dist')))
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], {
    cwd: clone,
    env: CLEAN_ENV,
    maxBuffer: 2 ** 26,
  })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as { files: { path: string }[] }[]
  const paths = new Set(packed?.files.map(({ path }) => path))
  for (const path of ['dist/bin/larder.js', 'dist/kernel/index.d.ts', 'dist/modules/console/public/index.html'])
    t.true(paths.has(path), path)
  t.false([...paths].some(path => path.startsWith('dist/test/')))
})

/** The package that npm makes of a clone that nobody has built. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test, { type ExecutionContext } from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { CLEAN_ENV, temporaryFolder } from '../bin/command.ts'

const run = promisify(execFile)
const root = fileURLToPath(packageRoot)

interface Packed {
  /** Checksum of the archive. */
  readonly integrity: string
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

const OPTIONS = ['pack', '--dry-run', '--json']
const DIFFERENT = { TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' }

/** Packs a clone in a new folder with this name. */
async function packClone(
  t: ExecutionContext,
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Packed> {
  const clone = join(await temporaryFolder(t), name)
  await run('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
  t.false(existsSync(join(clone, 'dist')))
  // Links to the same files where both folders are on one disk. A link to the folder would not be a repeatable build:
  // bundles name the paths of their sources.
  const [from, to] = [join(root, 'node_modules'), join(clone, 'node_modules')]
  await run('cp', ['-al', from, to]).catch(() => run('cp', ['-a', from, to]))
  return packed(clone, OPTIONS, env)
}

/** Packs what the last build of this checkout has made. */
const packThis = (): Promise<Packed> => packed(root, [...OPTIONS, '--ignore-scripts'])

async function packed(cwd: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await run('npm', words, { cwd, env: { ...CLEAN_ENV, ...env }, maxBuffer: 2 ** 26 })
  const [found] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as Packed[]
  if (!found) throw new Error('npm packed nothing')
  return found
}

test('npm pack builds a clone before it packs it, with the same bytes in every folder, time zone and language', async t => {
  t.timeout(600_000)
  const first = await packClone(t, 'another-name', DIFFERENT)
  const paths = new Set(first.files.map(({ path }) => path))
  for (const path of ['dist/bin/larder.js', 'dist/kernel/index.d.ts', 'dist/modules/console/public/index.html'])
    t.true(paths.has(path), path)
  t.false([...paths].some(path => path.startsWith('dist/test/')))

  // A build takes a minute of a processor. That of this checkout is of another folder, too, unless sources have changed since
  // the commit that was cloned, or files are left from builds before it.
  const built = await packThis()
  const second = built.integrity === first.integrity ? built : await packClone(t, 'larder')
  const sizes = new Map(first.files.map(({ path, size }) => [path, size]))
  t.deepEqual(
    second.files.filter(({ path, size }) => sizes.get(path) !== size).map(({ path }) => path),
    [],
  )
  t.is(second.integrity, first.integrity)
})

import { readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { packageRoot } from '../../kernel/base/package-root.ts'

const read = (path: string): string => readFileSync(new URL(path, packageRoot), 'utf8')

/** Blocks that a line with a link to a file of `deploy` and a colon introduces, by the path of the file. */
const shownFiles = (text: string): (readonly [path: string, block: string])[] =>
  [...text.matchAll(/\]\(\.\.\/(deploy\/[^)#]+)\)[^\n]*:\n\n((?: {4}[^\n]*\n|\n(?= {4}))+)/g)].map(
    ([, path = '', block = '']) => [path, block.replaceAll(/^ {4}/gm, '')],
  )

const shown = ['docs/deploy.md', 'docs/operations.md'].flatMap(page => shownFiles(read(page)))

test('the docs show files of deploy as they are', t => {
  t.deepEqual(
    shown.filter(([path, block]) => block !== read(path)).map(([path]) => path),
    [],
  )
})

/** Folders of files that an administrator copies. */
const COPIED = ['nginx', 'caddy']

test('the docs show each file that an administrator copies', t => {
  const paths = COPIED.flatMap(folder =>
    readdirSync(new URL(`deploy/${folder}/`, packageRoot)).map(name => `deploy/${folder}/${name}`),
  )
  t.deepEqual(
    shown
      .map(([path]) => path)
      .filter(path => paths.includes(path))
      .sort(),
    paths.sort(),
  )
})

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { parse } from 'yaml'
import { settingVariables } from '../../bin/composition.ts'
import { packageRoot } from '../../kernel/base/package-root.ts'

const read = (path: string): string => readFileSync(new URL(path, packageRoot), 'utf8')

/** Blocks that a line with a link to a file of `deploy` and a colon introduces, by the path of the file. */
const shownFiles = (text: string): (readonly [path: string, block: string])[] =>
  [...text.matchAll(/\]\(\.\.\/(deploy\/[^)#]+)\)[^\n]*:\n\n(( {4,8})\S[^\n]*\n(?:\3[^\n]*\n|\n(?=\3))*)/g)].map(
    ([, path = '', block = '', indentation = '']) => [path, block.replaceAll(new RegExp(`^${indentation}`, 'gm'), '')],
  )

const PAGES = ['deploy', 'operations', 'point-in-time-recovery']
const shown = PAGES.flatMap(page => shownFiles(read(`docs/${page}.md`)))

test('the docs show files of deploy as they are', t => {
  t.deepEqual(
    shown.filter(([path, block]) => block !== read(path)).map(([path]) => path),
    [],
  )
})

/** Folders of files that an administrator copies. */
const COPIED = ['nginx', 'caddy', 'haproxy', 'patroni', 'pgbackrest', 'pgbouncer', 'systemd']
/** A list of settings, which the table of docs/operations.md explains. */
const NOT_SHOWN = ['deploy/systemd/larder.env']

test('the docs show each file that an administrator copies', t => {
  const paths = COPIED.flatMap(folder =>
    readdirSync(new URL(`deploy/${folder}/`, packageRoot), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(fileURLToPath(packageRoot), join(entry.parentPath, entry.name))),
  ).filter(path => !NOT_SHOWN.includes(path))
  t.true(paths.length > 7)
  t.deepEqual(
    paths.filter(path => !shown.some(([each]) => each === path)),
    [],
  )
})

for (const folder of ['', 'starters/repository/'])
  test(`${folder}compose.yaml passes .env, which has no variable that it sets otherwise`, t => {
    const { services } = parse(read(`${folder}compose.yaml`), { merge: true })
    const processes = [services.web, services.worker, services.product].filter(Boolean)
    const example = [...read(`${folder}.env.example`).matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name)
    t.true(example.includes('LARDER_SECRET') && example.includes('LOG_LEVEL'))
    for (const { env_file: file, environment } of processes) {
      t.deepEqual(file, ['.env'])
      const own = Object.entries<unknown>(environment).filter(([name, value]) => !String(value).includes(`\${${name}:`))
      t.deepEqual(
        own.map(([name]) => name).filter(name => example.includes(name)),
        [],
      )
    }
  })

/** Settings of the table in docs/operations.md, with the column of defaults. A row may have several of both. */
function documentedSettings(): Map<string, string> {
  const [, chapter = ''] = read('docs/operations.md').split('\n## Settings\n')
  const rows = (chapter.split('\n## ')[0] ?? '').matchAll(/^\| (`[A-Z_`, ]+`) \| ([^|]*) \|/gm)
  return new Map(
    [...rows].flatMap(([, names = '', defaults = '']) => {
      const all = [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name as string)
      const values = all.length > 1 && defaults.includes(', ') ? defaults.split(', ') : all.map(() => defaults)
      return all.map((name, at) => [name, (values[at] ?? '').replaceAll('`', '').trim()] as const)
    }),
  )
}

test('the table of settings has each declared setting, and no other', t => {
  t.deepEqual([...documentedSettings().keys()].sort(), settingVariables.map(({ name }) => name).sort())
})

test('the table of settings has the declared defaults', t => {
  const documented = documentedSettings()
  t.deepEqual(
    settingVariables.flatMap(({ name, default: standard }) =>
      // Others are sentences.
      standard !== undefined && /^\S+$/.test(standard) ? [`${name} ${standard}`] : [],
    ),
    settingVariables.flatMap(({ name, default: standard }) =>
      standard !== undefined && /^\S+$/.test(standard) ? [`${name} ${documented.get(name)}`] : [],
    ),
  )
})

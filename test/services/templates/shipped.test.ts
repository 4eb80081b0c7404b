import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { compileTheme } from '../../../services/templates/assemble.ts'
import { mailProblems } from '../../../services/templates/mail.ts'
import { PRODUCT } from './fixtures.ts'

const MODULES = readdirSync('modules')

/** Templates outside the package are compiled at once. */
function copyOf(t: ExecutionContext, folder: string): string {
  const path = mkdtempSync(join(tmpdir(), 'larder-shipped-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  cpSync(folder, path, { recursive: true })
  return path
}

const templatesIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.hbs')) : []

for (const name of readdirSync('themes'))
  test(`the theme ${name} compiles, with the pages of every module`, t => {
    const folder = copyOf(t, join('themes', name))
    const theme = compileTheme(folder, PRODUCT, {}, undefined, [])
    const compiles = (folder: string, prefix: string) => {
      for (const file of templatesIn(folder))
        t.notThrows(() => theme.compilePage(join(folder, file), prefix + basename(file, '.hbs')), file)
    }
    compiles(join(folder, 'pages'), '')
    for (const module of MODULES)
      if (existsSync(join('modules', module, 'templates')))
        compiles(copyOf(t, join('modules', module, 'templates')), `${module}.`)
  })

test('the mail templates of every module compile', t => {
  const sets = MODULES.filter(module => existsSync(join('modules', module, 'emails'))).map(module => ({
    module,
    folder: pathToFileURL(`${copyOf(t, join('modules', module, 'emails'))}/`),
  }))
  t.deepEqual(mailProblems(sets, []), [])
})

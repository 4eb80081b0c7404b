import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { parse, stringify } from 'yaml'
import { checkRecipe } from '../../../bin/composition.ts'
import { packageRoot } from '../../../kernel/base/package-root.ts'
import { readRecipe } from '../../../kernel/recipe/read.ts'

/** The indented blocks of the page that configure identity. */
const recipes = (): string[] =>
  readFileSync(new URL('docs/sign-in.md', packageRoot), 'utf8')
    .split(/\n(?! {4}|\n)/)
    .flatMap(part => [...part.matchAll(/(?:^|\n)((?: {4}.*\n?|\n)+)/g)].map(([, block = '']) => block))
    .map(block => block.replace(/^ {4}/gm, ''))
    .filter(block => block.includes('signIn:'))

test('each recipe of the page about signing in passes the check when copied', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'larder-recipe-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const found = recipes()
  t.true(found.length >= 2)
  for (const [at, text] of found.entries()) {
    const file = join(folder, `${at}.yaml`)
    const product = { key: 'test', name: 'Test', publicUrl: 'https://app.acme.test' }
    const { modules, ...rest } = parse(text) as { modules: object }
    writeFileSync(file, stringify({ recipe: 1, product, ...rest, modules: { comms: {}, ...modules } }))
    const variables = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, 'a value'])
    await t.notThrowsAsync(async () => checkRecipe(readRecipe(file, Object.fromEntries(variables))), text)
  }
})

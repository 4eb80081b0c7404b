import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { parse } from 'yaml'
import { packageRoot } from '../../kernel/root.ts'

const root = fileURLToPath(packageRoot)
/** Whose templates every language that ships has to know. */
const FOLDERS = ['themes', 'modules/identity', 'modules/streams', 'modules/content']

const said = (text: string) =>
  [...text.matchAll(/\btext '([^']*)'|\btext "([^"]*)"|\blabel='([^']*)'/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
const templates = FOLDERS.flatMap(folder =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.hbs'))
    .map(path => `${root}${folder}/${path}`),
)

test('every text of the shipped pages is known in every language that ships', t => {
  const texts = new Set(templates.flatMap(file => said(readFileSync(file, 'utf8'))))
  t.true(texts.size > 80)
  for (const name of readdirSync(`${root}themes/default/texts`)) {
    const known = parse(readFileSync(`${root}themes/default/texts/${name}`, 'utf8')) as Record<string, string>
    t.deepEqual(
      [...texts].filter(text => !Object.hasOwn(known, text)),
      [],
      name,
    )
    for (const [text, other] of Object.entries(known))
      t.deepEqual((other.match(/\{\d\}/g) ?? []).sort(), (text.match(/\{\d\}/g) ?? []).sort(), text)
  }
})

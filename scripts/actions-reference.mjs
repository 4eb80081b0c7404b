/** Writes docs/reference/actions.md from the actions of the shipped modules. `--check` only compares. Needs a build. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const target = new URL('docs/reference/actions.md', root)
const modules = new URL('dist/modules/', root)
const { pickText, valueKind } = await import(new URL('dist/kernel/index.js', root))

const KINDS = { row: 'row', person: 'person', literal: 'written out' }
const EFFECTS = { database: 'exactly once', outside: 'at least once' }

const english = text => pickText(text, 'en', 'en')
const cell = text => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

function typeOf(schema) {
  const kind = valueKind(schema)
  if (kind === 'row' || kind === 'person') return KINDS[kind]
  const choices = schema.enum ?? schema.anyOf?.map(({ const: value, type }) => value ?? type)
  const type = choices ? choices.join(', ') : schema.type === 'object' ? 'map' : (schema.type ?? 'any value')
  return kind === 'literal' ? `${type}, ${KINDS.literal}` : type
}

const row = ([name, schema], required) =>
  `| \`${name}\` | ${cell(typeOf(schema))} | ${required.includes(name) ? 'yes' : ''} | ${cell(schema.description ?? '')} |`

function section(name, { title, description, input, output, effects }) {
  const fields = Object.keys(output?.properties ?? {})
  return [
    `## \`${name}\`: ${english(title)}`,
    '',
    `${english(description)}. Takes effect ${EFFECTS[effects]}.`,
    '',
    '| Input | Type | Required | Description |',
    '|---|---|---|---|',
    ...Object.entries(input.properties).map(entry => row(entry, input.required ?? [])),
    '',
    ...(fields.length > 0 ? [`Output: ${fields.map(field => `\`${field}\``).join(', ')}.`, ''] : []),
  ]
}

const found = []
for (const module of readdirSync(modules).sort()) {
  const file = new URL(`${module}/actions.js`, modules)
  if (!existsSync(file)) continue
  const { actions } = await import(file)
  for (const [name, action] of Object.entries(actions)) found.push([`${module}.${name}`, action])
}
const text = [
  '# Actions',
  '',
  'What steps of [automations](../automations.md) do. `npm run docs` writes this page from the modules.',
  '',
  ...found.flatMap(([name, action]) => section(name, action)),
].join('\n')

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  process.stderr.write('docs/reference/actions.md is out of date: run node scripts/actions-reference.mjs\n')
  process.exitCode = 1
}

import test from 'ava'
import { check, failure, HEAD, hintsOf, PRODUCT, problemsOf } from './fixtures.ts'

test('accepts Windows line endings, a byte order mark and comments', async t => {
  const text = `# A recipe\n${HEAD}modules:\n  people: { seats: 3 } # few\n`
  const { value } = await check(t, { 'recipe.yaml': `\uFEFF${text.replaceAll('\n', '\r\n')}` })
  t.like(value.modules, { people: { seats: 3 } })
  const lines = `\uFEFF${text.replace('seats', 'saets')}`.replaceAll('\n', '\r\n')
  t.deepEqual(await problemsOf(t, lines), ['recipe.yaml:5:13 Unknown key "saets" in "modules.people"'])
})

test('reports a duplicate key with the line of the first', async t => {
  const text = `${HEAD}modules:\n  people: {}\n  people: { seats: 3 }\n`
  t.deepEqual(await problemsOf(t, text), ['recipe.yaml:5:3 Duplicate key "people"; first set in line 4'])
})

test('rejects an empty file, a list and a scalar', async t => {
  t.deepEqual(await problemsOf(t, ''), ['recipe.yaml:1:1 The file is empty'])
  t.deepEqual(await problemsOf(t, '# nothing\n'), ['recipe.yaml:1:1 The file is empty'])
  t.deepEqual(await problemsOf(t, '\n- recipe: 1\n'), ['recipe.yaml:2:1 A recipe must be a map, not a list'])
  t.deepEqual(await problemsOf(t, 'recipe'), ['recipe.yaml:1:1 A recipe must be a map, not a single value'])
})

test('rejects a missing file and a folder', async t => {
  t.deepEqual(await problemsOf(t, { 'other.yaml': HEAD }), ['recipe.yaml:1:1 File not found'])
  t.deepEqual(await problemsOf(t, { 'recipe.yaml/a': '' }), ['recipe.yaml:1:1 The path is a folder'])
})

test('reports only the first alias of a file with aliases, without expanding it', async t => {
  const bomb = Array.from(
    { length: 9 },
    (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [*${'abcdefghi'[i]}, *${'abcdefghi'[i]}]`,
  )
  const problems = await problemsOf(t, `${HEAD}a: &a [1]\n${bomb.join('\n')}\n`)
  t.deepEqual(problems, ['recipe.yaml:4:8 Aliases (*a) are not supported'])
})

test('rejects a file over the size limit', async t => {
  const problems = await problemsOf(t, `${HEAD}x: "${'y'.repeat(10 * 1024 * 1024)}"\n`)
  t.deepEqual(problems, ['recipe.yaml:1:1 The file has 10241 KiB; the limit is 1024 KiB'])
})

test('rejects excessive nesting and too many keys', async t => {
  const deep = await problemsOf(t, `${HEAD}x: ${'['.repeat(100_000)}`)
  t.deepEqual(deep, ['recipe.yaml:3:68 Nested deeper than 64 levels'])
  const block = Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}k:`).join('\n')
  t.true((await problemsOf(t, `${HEAD}${block}`)).some(problem => problem.endsWith('Nested deeper than 64 levels')))
  const keys = Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n')
  t.regex((await problemsOf(t, keys))[0] as string, /recipe.yaml:\d+:\d+ The file has more than 50000 keys and values/)
})

test('rejects tabs, multiple documents, merge keys, tags and keys that are not strings', async t => {
  t.deepEqual(await problemsOf(t, `recipe: 1\nproduct:\n\tkey: a\n`), [
    'recipe.yaml:3:1 The line is indented with a tab',
  ])
  t.deepEqual(await problemsOf(t, `${HEAD}---\n${HEAD}`), ['recipe.yaml:3:1 A recipe must be a single YAML document'])
  t.deepEqual(await problemsOf(t, `${HEAD}modules:\n  people:\n    <<: { seats: 3 }\n`), [
    'recipe.yaml:5:5 Merge keys (<<) are not supported',
  ])
  t.deepEqual(await problemsOf(t, `${HEAD}modules: !ruby {}\n`), [
    'recipe.yaml:3:10 YAML tags (!name) are not supported',
  ])
  t.deepEqual(await problemsOf(t, `${HEAD}? [a]\n: 1\n`), ['recipe.yaml:3:3 Keys must be strings'])
})

test('rejects __proto__ as a key', async t => {
  t.deepEqual(await problemsOf(t, `${HEAD}__proto__: { theme: x }\n`), [
    'recipe.yaml:3:1 "__proto__" is not allowed as a key',
  ])
})

test('suggests quotes for a variable inside a flow map', async t => {
  const text = `recipe: 1\n${PRODUCT}\nmodules:\n  people: { seats: \${SEATS:-3} }\n`
  t.true((await hintsOf(t, text)).includes(`Write "\${NAME:-default}"`))
})

test('rejects text that is not UTF-8', async t => {
  const { problems } = await failure(t, { 'recipe.yaml': Buffer.from([0x72, 0xff, 0xfe, 0x0a]) })
  t.is(problems[0]?.message, 'The file is not valid UTF-8')
})

test('rejects numbers with more digits than JavaScript keeps', async t => {
  const text = `${HEAD}modules:\n  people: { seats: 750727362669608961, other: '750727362669608961' }\n`
  t.true(
    (await problemsOf(t, text)).includes('recipe.yaml:4:20 750727362669608961 has more digits than a number keeps'),
  )
})

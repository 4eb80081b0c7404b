import test from 'ava'
import { check, failure, HEAD, hintsOf, PRODUCT, problemsOf } from './fixtures.ts'

test('accepts Windows line endings, a byte order mark and comments', async t => {
  const text = `# A recipe\n${HEAD}modules:\n  people: { seats: 3 } # few\n`
  const { value } = await check(t, { 'recipe.yaml': `\uFEFF${text.replaceAll('\n', '\r\n')}` })
  t.like(value.modules, { people: { seats: 3 } })
  const lines = `\uFEFF${text.replace('seats', 'saets')}`.replaceAll('\n', '\r\n')
  t.deepEqual(await problemsOf(t, lines), ["recipe.yaml:5:13 there is no key 'saets' in 'modules.people'"])
})

test('reports a duplicate key with the line of the first', async t => {
  const text = `${HEAD}modules:\n  people: {}\n  people: { seats: 3 }\n`
  t.deepEqual(await problemsOf(t, text), ["recipe.yaml:5:3 'people' stands here a second time: the first is in line 4"])
})

test('rejects an empty file, a list and a scalar', async t => {
  t.deepEqual(await problemsOf(t, ''), ['recipe.yaml:1:1 the file is empty'])
  t.deepEqual(await problemsOf(t, '# nothing\n'), ['recipe.yaml:1:1 the file is empty'])
  t.deepEqual(await problemsOf(t, '\n- recipe: 1\n'), ['recipe.yaml:2:1 a recipe is a map of keys, not a list'])
  t.deepEqual(await problemsOf(t, 'recipe'), ['recipe.yaml:1:1 a recipe is a map of keys, not a single value'])
})

test('reports a missing file and a folder in place of a file', async t => {
  t.deepEqual(await problemsOf(t, { 'other.yaml': HEAD }), ['recipe.yaml:1:1 there is no such file'])
  t.deepEqual(await problemsOf(t, { 'recipe.yaml/a': '' }), ['recipe.yaml:1:1 this is a folder, not a file'])
})

test('rejects aliases without expanding them', async t => {
  const bomb = Array.from(
    { length: 9 },
    (_, i) => `${'bcdefghij'[i]}: &${'bcdefghij'[i]} [*${'abcdefghi'[i]}, *${'abcdefghi'[i]}]`,
  )
  const problems = await problemsOf(t, `${HEAD}a: &a [1]\n${bomb.join('\n')}\n`)
  t.true(problems.includes('recipe.yaml:4:8 an alias (*a) repeats what stands elsewhere: a recipe takes none'))
})

test('rejects a file over the size limit', async t => {
  const problems = await problemsOf(t, `${HEAD}x: "${'y'.repeat(10 * 1024 * 1024)}"\n`)
  t.deepEqual(problems, ['recipe.yaml:1:1 the file has 10241 KiB: a recipe file has at most 1024 KiB'])
})

test('rejects excessive nesting and too many keys', async t => {
  const deep = await problemsOf(t, `${HEAD}x: ${'['.repeat(100_000)}`)
  t.deepEqual(deep, ['recipe.yaml:3:68 nested more than 64 deep'])
  const block = Array.from({ length: 200 }, (_, i) => `${' '.repeat(i)}k:`).join('\n')
  t.true((await problemsOf(t, `${HEAD}${block}`)).some(problem => problem.endsWith('nested more than 64 deep')))
  const keys = Array.from({ length: 60_000 }, (_, i) => `k${i}: 1`).join('\n')
  t.regex((await problemsOf(t, keys))[0] as string, /recipe.yaml:\d+:\d+ a file has at most 50000 keys and values/)
})

test('rejects tabs, multiple documents, merge keys, tags and complex keys', async t => {
  t.deepEqual(await problemsOf(t, `recipe: 1\nproduct:\n\tkey: a\n`), ['recipe.yaml:3:1 a tab indents this line'])
  t.deepEqual(await problemsOf(t, `${HEAD}---\n${HEAD}`), ['recipe.yaml:3:1 a second document begins here'])
  t.deepEqual(await problemsOf(t, `${HEAD}modules:\n  people:\n    <<: { seats: 3 }\n`), [
    "recipe.yaml:5:5 merge keys ('<<') are not taken",
  ])
  t.deepEqual(await problemsOf(t, `${HEAD}modules: !ruby {}\n`), ['recipe.yaml:3:10 a recipe takes no tags (!name)'])
  t.deepEqual(await problemsOf(t, `${HEAD}? [a]\n: 1\n`), ['recipe.yaml:3:3 a key is a word, not a list or a map'])
})

test('rejects a key that could change the prototype', async t => {
  t.deepEqual(await problemsOf(t, `${HEAD}__proto__: { theme: x }\n`), ["recipe.yaml:3:1 '__proto__' cannot be a key"])
})

test('suggests quotes for a variable inside a flow map', async t => {
  const text = `recipe: 1\n${PRODUCT}\nmodules:\n  people: { seats: \${SEATS:-3} }\n`
  t.true((await hintsOf(t, text)).includes(`write "\${NAME:-default}"`))
})

test('rejects text that is not UTF-8', async t => {
  const { problems } = await failure(t, { 'recipe.yaml': Buffer.from([0x72, 0xff, 0xfe, 0x0a]) })
  t.is(problems[0]?.message, 'the file is not UTF-8 text')
})

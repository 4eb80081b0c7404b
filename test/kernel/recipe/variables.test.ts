import test from 'ava'
import { fill } from '../../../kernel/recipe/variables.ts'
import { check, HEAD, problemsOf } from './fixtures.ts'

test('replaces a variable, or uses its default if it is unset or empty', t => {
  t.is(fill(`http://\${HOST}:\${PORT:-80}/`, { HOST: 'a.test' }).text, 'http://a.test:80/')
  t.is(fill(`\${PORT:-80}`, { PORT: '' }).text, '80')
  t.is(fill(`\${PORT:-80}`, { PORT: '81' }).text, '81')
  t.is(fill(`\${EMPTY}`, { EMPTY: '' }).text, '')
})

test('a doubled dollar sign escapes a variable', t => {
  t.like(fill(`cost $\${PRICE}`, { PRICE: '5' }), { text: `cost \${PRICE}`, filled: false })
})

test('an unquoted variable can be a number or a boolean; a quoted one is text', async t => {
  const recipe = (seats: string) => `${HEAD}modules:\n  people:\n    seats: ${seats}\n`
  const { value } = await check(t, recipe(`\${SEATS:-5}`), { env: { SEATS: '7' } })
  t.like(value.modules, { people: { seats: 7 } })
  t.deepEqual(await problemsOf(t, recipe(`"\${SEATS:-5}"`)), [
    `recipe.yaml:5:12 "modules.people.seats" must be an integer, not "5"`,
  ])
})

test('a variable cannot inject structure', async t => {
  const recipe = `${HEAD}modules:\n  people:\n    hosts: ["a", "\${HOSTS}"]\n    ttl: \${TTL}\n`
  const problems = await problemsOf(t, recipe, { env: { HOSTS: '"], seats: 3', TTL: '{ a: 1 }' } })
  t.deepEqual(problems, ['recipe.yaml:6:10 Invalid value "{ a: 1 }" for "modules.people.ttl"'])
})

test('reports an unset variable once', async t => {
  t.deepEqual(await problemsOf(t, `${HEAD}modules:\n  people: { seats: "\${SEATS}" }\n`), [
    'recipe.yaml:4:20 Environment variable SEATS is not set',
  ])
})

test('reports an invalid variable name', async t => {
  t.deepEqual(await problemsOf(t, `${HEAD}modules:\n  people: { ttl: "\${1}d" }\n`), [
    `recipe.yaml:4:18 Invalid variable: '\${' must be followed by a name and '}'`,
  ])
})

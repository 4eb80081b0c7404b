import test from 'ava'
import { RecipeError } from '../../../kernel/recipe/index.ts'
import { failure, HEAD } from './fixtures.ts'

const TEXT = `${HEAD}modules:\n  people:\n    registraton: { open: true }\n`

test('prints a problem with its location, a code frame and a hint', async t => {
  const text = (await failure(t, TEXT)).render(false)
  t.regex(text, /recipe\.yaml:5:5 {2}Unknown key "registraton" in "modules\.people"\n/)
  t.true(text.includes(['  4 |   people:', '> 5 |     registraton: { open: true }', '    |     ^'].join('\n')))
  t.true(text.includes('\n  Did you mean "registration"?'))
  t.true(text.endsWith('Found 1 error.'))
})

test('uses colors only if requested', async t => {
  const error = await failure(t, TEXT)
  t.false(error.render(false).includes('\u001b['))
  t.true(error.render(true).includes('\u001b['))
})

test('prints at most 50 problems and the number of the others', async t => {
  const wrong = Array.from({ length: 60 }, (_, i) => `wrong${i}: 1`).join('\n')
  const text = (await failure(t, `${HEAD}${wrong}\n`)).render(false)
  t.is(text.match(/Unknown key/g)?.length, 50)
  t.true(text.includes('… and 10 more'))
  t.true(text.endsWith('Found 60 errors.'))
})

test('strips control characters and truncates long lines', async t => {
  const error = await failure(t, `${HEAD}"\\e[31mx${'y'.repeat(100_000)}": 1\nz: "\u2028"\n`)
  const text = error.render(false)
  t.false(text.includes('\u001b'))
  t.true(text.length < 210_000)
  const frames = text.split('\n').filter(line => /^>? +\d+ \|/.test(line))
  t.true(frames.every(line => line.length < 140))
})

test('sorts problems by file and line and removes duplicates', t => {
  const at = (file: string, line: number) => ({
    severity: 'error' as const,
    code: 'invalid_value',
    file,
    line,
    column: 1,
    path: '',
    message: 'm',
  })
  const { problems } = new RecipeError([at('/b', 2), at('/a', 1), at('/b', 1), at('/b', 2)], ['/b'])
  t.deepEqual(
    problems.map(({ file, line }) => `${file}:${line}`),
    ['/b:1', '/b:2', '/a:1'],
  )
})

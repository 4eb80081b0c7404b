import test from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const SMTP = 'modules:\n  identity: {}\n  comms:\n    transport: smtp\n'

test('warns of the SMTP transport without a server URL', async t => {
  t.deepEqual((await recipeProblems(t, SMTP)).map(toLine), [
    'warning missing_smtp_url recipe.yaml:6:16 The SMTP transport has no server URL → Set smtp.url, or the environment variable SMTP_URL',
  ])
})

test('accepts a server URL from the recipe and from the environment', async t => {
  t.deepEqual(await recipeProblems(t, `${SMTP}    smtp: { url: "smtp://localhost:25" }\n`), [])
  t.deepEqual(await recipeProblems(t, SMTP, { env: { SMTP_URL: 'smtp://localhost:25' } }), [])
})

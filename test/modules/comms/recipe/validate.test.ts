import test from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const SMTP = 'modules:\n  identity: {}\n  comms:\n    transport: smtp\n'

const sender = (from: string) => `modules:\n  identity: {}\n  comms:\n    from: ${from}\n`
const CASES: readonly (readonly [from: string, hint: string])[] = [
  [`'Acme, Inc. <a@b.test>'`, `Write '"Acme, Inc." <a@b.test>'`],
  [`"ada@b.test <a@b.test>"`, `Write '"ada@b.test" <a@b.test>'`],
  [`'Acme "Best" <a@b.test>'`, `Write '"Acme Best" <a@b.test>'`],
  [`'Acme <a@b..test>'`, 'Write hello@acme.test or Acme <hello@acme.test>'],
]
for (const [from, hint] of CASES)
  test(`refuses the sender ${from} with the form to write`, async t => {
    const [problem] = await recipeProblems(t, sender(from))
    t.like(problem, { code: 'invalid_value', path: 'modules.comms.from', line: 6, hint })
  })

test('accepts a sender whose name is quoted', async t => {
  t.deepEqual(await recipeProblems(t, sender(`'"Acme, Inc." <a@b.test>'`)), [])
})

test('warns of the SMTP transport without a server URL', async t => {
  t.deepEqual((await recipeProblems(t, SMTP)).map(toLine), [
    'warning missing_smtp_url recipe.yaml:6:16 The SMTP transport has no server URL → Set smtp.url, or the environment variable SMTP_URL',
  ])
})

test('accepts a server URL from the recipe and from the environment', async t => {
  t.deepEqual(await recipeProblems(t, `${SMTP}    smtp: { url: "smtp://localhost:25" }\n`), [])
  t.deepEqual(await recipeProblems(t, SMTP, { env: { SMTP_URL: 'smtp://localhost:25' } }), [])
})

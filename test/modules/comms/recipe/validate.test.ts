import test from 'ava'
import { recipeProblems, toLine } from '../../recipe-problems.ts'

const SMTP = 'modules:\n  identity: {}\n  comms:\n    transport: smtp\n    from: hello@acme.test\n'

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

const WITHOUT_SENDER = 'modules:\n  identity: {}\n  comms: {}\n'

for (const [url, sender] of [
  [undefined, 'no-reply@localhost'],
  ['http://localhost:8080', 'no-reply@localhost'],
  ['http://192.168.1.5', 'no-reply@192.168.1.5'],
  ['http://[::1]:8080', 'no-reply@localhost'],
  ['https://shop.internal', 'no-reply@shop.internal'],
  ['https://app', 'no-reply@app'],
] as const)
  test(`warns that mail of a product at ${url ?? 'no address'} is sent from ${sender}`, async t => {
    const found = await recipeProblems(t, WITHOUT_SENDER, { env: { ...(url !== undefined && { PUBLIC_URL: url }) } })
    t.deepEqual(found.map(toLine), [
      `warning local_sender recipe.yaml:5:10 Mail has the sender ${sender}, which other servers refuse → Write from: Acme <hello@acme.com> with an address of your own domain, or set PUBLIC_URL`,
    ])
  })

for (const address of ['hello@localhost', 'Acme <a@shop.local>', 'a@mailhost'])
  test(`warns of the sender ${address}`, async t => {
    const [found] = await recipeProblems(t, sender(address))
    t.like(found, { severity: 'warning', code: 'local_sender', path: 'modules.comms.from' })
  })

test("accepts a sender at the product's own domain, and none where mail isn't sent", async t => {
  t.deepEqual(await recipeProblems(t, WITHOUT_SENDER, { env: { PUBLIC_URL: 'https://app.acme.test' } }), [])
  t.deepEqual(await recipeProblems(t, sender('hello@acme.test')), [])
  t.deepEqual(await recipeProblems(t, WITHOUT_SENDER.replace('comms: {}', 'comms: { transport: mailbox }')), [])
})

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { formatPlan } from '../../bin/recipe-plan.ts'
import { createTestDatabase } from '../../services/postgres/testing.ts'
import { run, temporaryFolder } from './command.ts'

const RECIPE = `recipe: 1
product: { key: acme, name: Acme, publicUrl: "http://localhost:8080" }
modules:
  identity: {}
  comms: { transport: mailbox, from: "Acme <hello@acme.test>" }
`
const role = (permissions: string) =>
  `${RECIPE}roles:\n  tenant.support: { name: Support, permissions: [${permissions}] }\n`

test.serial('plan exits with 2 for changes and 0 for none; apply requires --yes for breaking changes', async t => {
  const cwd = await temporaryFolder(t)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = { DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of' }
  const larder = (...words: string[]) => run(t, ['recipe', ...words], cwd, env)
  const say = (text: string) => writeFile(join(cwd, 'recipe.yaml'), text)

  await say(role('identity.member.read, communications.message.read'))
  const first = await larder('plan')
  t.is(first.code, 2, first.err)
  t.regex(first.out, /^\+ add +identity +module identity +tables: 0001-identity, .*$/m)
  t.regex(first.out, /\d+ to add, 0 to change, 0 to remove\. No breaking changes\.\n$/)

  const applied = await larder('apply')
  t.is(applied.code, 0, applied.err)
  t.regex(applied.err, /migrating the database[\s\S]+applying the recipe[\s\S]+applied the recipe to /)

  const again = await larder('plan', '--json')
  t.is(again.code, 0, again.err)
  t.like(JSON.parse(again.out), { recipe: join(cwd, 'recipe.yaml'), changes: [], unknown: [], reminders: [] })

  await say(role('identity.member.read'))
  const breaking = await larder('plan', '--json')
  t.is(breaking.code, 2, breaking.err)
  t.deepEqual(JSON.parse(breaking.out).changes, [
    {
      change: 'change',
      of: 'recipe',
      subject: 'role tenant.support',
      detail: '− communications.message.read',
      breaks: 'users with this role lose communications.message.read',
    },
  ])
  const refused = await larder('apply')
  t.is(refused.code, 1, refused.err)
  t.regex(refused.err, /1 breaking change; no changes applied\. To apply anyway, run larder recipe apply --yes/)
  t.is((await larder('plan')).code, 2)
  t.is((await larder('apply', '--yes')).code, 0)
  t.is((await larder('plan')).code, 0)

  await say(`${RECIPE}thmee: {}\n`)
  const bad = await larder('plan')
  t.is(bad.code, 1)
  t.regex(bad.err, /Did you mean "theme"?/)
})

test('formats a plan as a table, followed by breaking changes and unchecked items', t => {
  const shown = formatPlan({
    place: 'here',
    changes: [
      { change: 'add', of: 'billing', subject: 'plan team' },
      { change: 'remove', of: 'billing', subject: 'plan pro\u001b[2J', breaks: '3 subscriptions\nstand on it' },
    ],
    unknown: ['parcels: module parcels has no plan hook'],
    reminders: ['field courses.name is also served as title'],
  })
  t.deepEqual(shown.split('\n'), [
    'change    owner    item          detail',
    '+ add     billing  plan team',
    '- remove  billing  plan pro [2J',
    '',
    'Breaking changes',
    '  ! plan pro [2J: 3 subscriptions stand on it',
    '',
    'Not checked',
    '  ? parcels: module parcels has no plan hook',
    '',
    'Left to do',
    '  · field courses.name is also served as title',
    '',
    '1 to add, 0 to change, 1 to remove. 1 breaking change.',
  ])
  t.is(formatPlan({ place: 'here', changes: [], unknown: [], reminders: [] }), 'No changes.')
  t.regex(formatPlan({ place: null, changes: [], unknown: [], reminders: [] }), /^No database exists yet/)
})

test.serial('plan and doctor remind of a rename whose second step is outstanding', async t => {
  const cwd = await temporaryFolder(t)
  const database = await createTestDatabase({ migrations: [] })
  t.teardown(() => database.drop())
  const env = { DATABASE_URL: database.ownerUrl, LARDER_SECRET: 'a secret that only tests may know of' }
  const larder = (...words: string[]) => run(t, words, cwd, env)
  const say = (field: string) =>
    writeFile(
      join(cwd, 'recipe.yaml'),
      `${RECIPE}  collections: {}\ncollections: { courses: { fields: { ${field} } } }\n`,
    )
  const REMINDER = /field courses\.name is also served as title, since \d{4}-\d\d-\d\d; .* remove `was`/

  await say('title: { type: text }')
  t.is((await larder('recipe', 'apply')).code, 0)
  await say('name: { type: text, was: title }')
  const renamed = await larder('recipe', 'apply')
  t.is(renamed.code, 0, renamed.err)
  const plan = await larder('recipe', 'plan', '--json')
  t.is(plan.code, 0, plan.err)
  t.regex(JSON.parse(plan.out).reminders.join(), REMINDER)
  const doctor = await larder('doctor', '--json')
  const findings: { state: string; what: string }[] = JSON.parse(doctor.out).findings
  t.deepEqual(
    findings.filter(({ what }) => REMINDER.test(what)).map(({ state }) => state),
    ['warn'],
    doctor.out,
  )

  await say('name: { type: text }')
  t.is((await larder('recipe', 'apply', '--yes')).code, 0)
  t.deepEqual(JSON.parse((await larder('recipe', 'plan', '--json')).out).reminders, [])
})

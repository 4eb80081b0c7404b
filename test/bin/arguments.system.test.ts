import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { run, temporaryFolder } from './command.ts'

test.serial('--help lists every command and --version prints a version', async t => {
  const cwd = await temporaryFolder(t)
  const help = await run(t, ['--help'], cwd)
  t.is(help.code, 0)
  for (const command of 'start web worker dev migrate recipe modules routes module events doctor'.split(' '))
    t.regex(help.out, new RegExp(`^  ${command}\\b`, 'm'), command)
  t.regex((await run(t, ['--version'], cwd)).out, /^\d+\.\d+\.\d+/)
})

test.serial('invalid arguments exit with 2 and refer to the help', async t => {
  const cwd = await temporaryFolder(t)
  const wrong = [
    ['strat'],
    ['start', '--port'],
    ['start', 'one.yaml', 'two.yaml'],
    ['recipe', 'chekc'],
    ['modules', '--jsno'],
    ['events', 'list', '-n', '0'],
    ['events', 'retry'],
    ['events', 'replay'],
    ['module', 'new'],
    ['doctor', '--fix'],
    [],
  ]
  for (const args of wrong) {
    const { code, err } = await run(t, args, cwd)
    t.is(code, 2, args.join(' '))
    t.regex(err, /larder --help|Usage: larder/, args.join(' '))
  }
})

test.serial('invalid settings exit with 1 and list every invalid variable', async t => {
  const cwd = await temporaryFolder(t)
  const { code, err } = await run(t, ['start'], cwd, { PORT: 'eighty', DATABASE_URL: 'mysql://db' })
  t.is(code, 1)
  for (const name of ['PORT', 'DATABASE_URL', 'LARDER_SECRET']) t.true(err.includes(name), name)
  t.notRegex(err, /\n {4}at /)
})

test.serial('an invalid recipe exits with 1, shows the location and does not touch the database', async t => {
  const cwd = await temporaryFolder(t)
  await writeFile(
    join(cwd, 'recipe.yaml'),
    'recipe: 1\nproduct: { key: a, name: A, publicUrl: "http://localhost:8080" }\nmodulse: {}\n',
  )
  const { code, err } = await run(t, ['start'], cwd)
  t.is(code, 1)
  t.regex(err, /recipe\.yaml:3:1/)
  t.regex(err, /modules/)
  t.false(existsSync(join(cwd, '.larder', 'postgres')))
})

test.serial('every command reports a missing recipe', async t => {
  const cwd = await temporaryFolder(t)
  for (const command of [['start'], ['recipe', 'check'], ['modules'], ['routes'], ['migrate']]) {
    const { code, err } = await run(t, [...command, 'nowhere.yaml'], cwd)
    t.is(code, 1, command.join(' '))
    t.regex(err, /nowhere\.yaml:1:1 +File not found/, command.join(' '))
  }
})

test.serial('an invalid module name exits with 1', async t => {
  const { code, err } = await run(t, ['module', 'new', 'In-Voices'], await temporaryFolder(t))
  t.is(code, 1)
  t.regex(err, /Invalid module name 'In-Voices'/)
})

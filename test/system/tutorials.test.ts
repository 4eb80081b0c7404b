/** The commands and files of the tutorials, in an empty folder that has nothing but the package of Larder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { type Document, isMap, type Pair, parseDocument, type YAMLMap } from 'yaml'
import { packageRoot } from '../../kernel/base/package-root.ts'
import { CLEAN_ENV } from '../bin/command.ts'
import { packLarder } from '../bin/installed.ts'
import { endGroup } from '../fixtures/end-group.ts'
import { freePort } from '../fixtures/free-port.ts'
import { waitFor } from '../fixtures/wait.ts'
import { type Command, missingIn, type Step, stepsOf } from './tutorial-page.ts'

const root = fileURLToPath(packageRoot)
const ENV = {
  ...CLEAN_ENV,
  npm_config_prefer_offline: 'true',
  npm_config_update_notifier: 'false',
  npm_config_yes: 'true',
}
const ADDRESS = 'http://localhost:8080'
/** The time limit of a command on a busy machine. */
const SECONDS = 240
const CLAIM_CODE = /\b(?:[A-Z0-9]{4}-){3}[A-Z0-9]{4}\b/

let folder: string
test.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-tutorials-'))
  // PostgreSQL of a root user runs as another user.
  await chmod(folder, 0o755)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await cp(await packLarder(), join(folder, `larder-dev-larder-${version}.tgz`))
})
test.after.always(() => rm(folder, { recursive: true, force: true }))

for (const name of ['tutorial', 'tutorial-courses'])
  test.serial(`a reader follows docs/${name}.md from an empty folder to the last step`, async t => {
    t.timeout(900_000)
    const page = await readFile(join(root, `docs/${name}.md`), 'utf8')
    const port = await freePort()
    const reader = await createReader(t, port)
    for (const step of stepsOf(page.replaceAll(ADDRESS, `http://localhost:${port}`))) await reader.follow(step)
    t.true(reader.commands > 10)
  })

test('an output lacks a field, a code or a status below 400', t => {
  t.deepEqual(missingIn('{"a":1}', '"a":1, "b":"c"'), ['"b":"c"'])
  t.deepEqual(missingIn('{"status":403,"code":"forbidden"}', '403 forbidden: "x":true'), ['"x":true'])
  t.deepEqual(missingIn('{"status":404,"code":"not_found"}', ''), ['a status below 400'])
})

interface Reader {
  readonly commands: number
  follow(step: Step): Promise<void>
}

async function createReader(t: ExecutionContext, port: number): Promise<Reader> {
  const shell = startShell(t, port)
  let dev: DevServer | undefined
  let output = ''
  let commands = 0
  let cwd = folder

  const type = async ({ text, expected }: Command) => {
    commands++
    if (text === 'npx larder dev') {
      dev = startDev(t, cwd, port)
      await dev.untilReloaded()
      return
    }
    const result = await shell.run(await filledIn(text))
    output += result.output
    cwd = result.cwd
    const problems = missingIn(result.output, expected)
    // `recipe plan` exits with 2 if the plan breaks something.
    if (result.code !== 0 && !(result.code === 2 && /recipe plan/.test(text)))
      problems.push(`code 0, not ${result.code}`)
    t.deepEqual(problems, [], `${text}\n${result.output}`)
  }
  /** Replaces what a reader copies from the output of `larder dev` or from a mail. */
  const filledIn = async (text: string) => {
    if (text.startsWith('code=')) return `code=${CLAIM_CODE.exec(dev?.output() ?? '')?.[0]}`
    return text.startsWith('link=') ? `link='${await invitationLink(t, port)}'` : text
  }
  const changeRecipe = async (change: (file: string) => Promise<void>) => {
    const reloaded = dev?.untilReloaded()
    await change(join(cwd, 'recipe.yaml'))
    await reloaded
  }
  return {
    get commands() {
      return commands
    },
    async follow(step) {
      if (step.kind === 'shell') {
        output = ''
        for (const command of step.commands) await type(command)
      } else if (step.kind === 'output') await checkOutput(t, step.content, output, { shell, cwd })
      else if (step.kind === 'stop') {
        await dev?.stop()
        dev = undefined
      } else if (step.kind === 'merge' || step.file === 'recipe.yaml')
        await changeRecipe(async file => {
          const text = step.kind === 'merge' ? merged(await readFile(file, 'utf8'), step.content) : step.content
          await writeFile(file, text)
        })
      else {
        await mkdir(dirname(join(cwd, step.file)), { recursive: true })
        await writeFile(join(cwd, step.file), step.content)
      }
    },
  }
}

/** Output that quotes lines of a recipe is of a recipe with the mistake in it. */
async function checkOutput(
  t: ExecutionContext,
  wanted: string,
  output: string,
  { shell, cwd }: { readonly shell: Shell; readonly cwd: string },
): Promise<void> {
  const [, line] = /^> +\d+ \| (.*)$/m.exec(wanted) ?? []
  if (line === undefined) {
    t.true(output.includes(wanted.trim()), `${wanted}\n${output}`)
    return
  }
  const file = join(cwd, 'recipe.yaml')
  const correct = await readFile(file, 'utf8')
  const [key = ''] = /^ *[\w-]+:/.exec(line) ?? []
  await writeFile(file, correct.replace(new RegExp(`^${key}.*$`, 'm'), line))
  const { output: reported } = await shell.run('npx larder recipe check')
  await writeFile(file, correct)
  for (const each of wanted.trim().split('\n')) t.true(reported.includes(each.trim()), `${each}\n${reported}`)
}

/** Adds what is new, and replaces what is there. A field with `was` replaces the field of that name. */
function merged(recipe: string, addition: string): string {
  const [document, added] = [parseDocument(recipe), parseDocument(addition)]
  mergeInto(document.contents as YAMLMap, added.contents as YAMLMap, document)
  return document.toString({ lineWidth: 0 })
}

function mergeInto(target: YAMLMap, added: YAMLMap, document: Document): void {
  for (const { key, value } of added.items as Pair[]) {
    const present = target.get(String(key))
    if (isMap(value) && value.has('was')) target.delete(value.get('was'))
    if (isMap(value) && isMap(present)) mergeInto(present, value, document)
    else target.set(String(key), value)
  }
}

/** Opens the mailbox, follows the link of the last invitation, and returns it. */
async function invitationLink(t: ExecutionContext, port: number): Promise<string> {
  const base = `http://localhost:${port}`
  const text = await waitFor(
    async () => {
      const { data } = (await (await fetch(`${base}/v1/communications/mailbox`)).json()) as { data: { id: string }[] }
      const mails = await Promise.all(
        data.map(async ({ id }) => (await fetch(`${base}/v1/communications/mailbox/${id}`)).json()),
      )
      return (mails as { text: string }[]).map(mail => mail.text).find(each => each.includes('/invitations/accept'))
    },
    found => found !== undefined,
  )
  const [link = ''] = /http\S+\/invitations\/accept\?token=[\w.-]+/.exec(text ?? '') ?? []
  t.is((await fetch(link, { headers: { accept: 'text/html' } })).status, 200, link)
  return link
}

interface Shell {
  run(command: string): Promise<{ readonly output: string; readonly code: number; readonly cwd: string }>
}

/** A shell that keeps its variables and its folder, as a terminal does. */
function startShell(t: ExecutionContext, port: number): Shell {
  const bash = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: { ...ENV, PORT: String(port) },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  t.teardown(() => bash.kill('SIGKILL'))
  const received = collect(bash)
  let count = 0
  return {
    async run(command) {
      const mark = `--- end of command ${++count}`
      const from = received().length
      bash.stdin.write(`{\n${command}\n} 2>&1 </dev/null\nprintf '\\n%s %s %s\\n' '${mark}' "$?" "$PWD"\n`)
      const pattern = new RegExp(`${mark} (\\d+) (.*)\n`)
      const match = await waitFor(() => pattern.exec(received().slice(from)), Boolean, SECONDS)
      return { output: received().slice(from).split(mark)[0] ?? '', code: Number(match?.[1]), cwd: match?.[2] ?? '' }
    },
  }
}

interface DevServer {
  output(): string
  /** Resolves after the next report that the product is running. */
  untilReloaded(): Promise<void>
  stop(): Promise<void>
}

function startDev(t: ExecutionContext, cwd: string, port: number): DevServer {
  const child = spawn('npx', ['larder', 'dev'], { cwd, env: { ...ENV, PORT: String(port) }, detached: true })
  const output = collect(child)
  const reports = () => output().split(' is running at ').length
  const stop = () => endGroup(child, 'SIGINT')
  t.teardown(stop)
  return {
    output,
    stop,
    async untilReloaded() {
      const before = reports()
      await waitFor(
        () => {
          if (child.exitCode !== null) throw new Error(`larder dev ended:\n${output()}`)
          return reports() > before || /previous version is still running/.test(output())
        },
        Boolean,
        SECONDS,
      )
      t.notRegex(output(), /previous version is still running/)
    },
  }
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = ''
  for (const stream of [stdout, stderr])
    stream?.on('data', chunk => {
      text += chunk
    })
  return () => text
}

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { nameOf } from '../kernel/base/index.ts'
import type { Ports } from '../kernel/index.ts'
import type { ApiDocument, Schema } from './client/document.ts'
import type { TopicSchemas } from './client/events.ts'
import type { HelperPart } from './client/generate.ts'
import { checkFile, readSettings } from './composition.ts'
import { recipeFile } from './recipe-file.ts'
import { ignoreEpipe, printInfo, printResult } from './shell.ts'

interface Flags {
  recipe?: string
  out?: string
  check?: boolean
}

export function clientCommands(program: Command): void {
  const declare = (name: string, about: string, generate: (ports: Readonly<Ports>) => Promise<string>) =>
    program
      .command(`${name} [recipe]`)
      .description(about)
      .option('-r, --recipe <file>', 'recipe file, as in other commands')
      .option('-o, --out <file>', 'write to this file instead of stdout')
      .option('--check', 'change nothing; exit with 1 if the file of --out is out of date')
      .action((recipe: string | undefined, flags: Flags, command: Command) => {
        if (flags.check && !flags.out) command.error('error: --check needs --out, the file to compare.')
        return run({ recipe, ...flags }, generate)
      })
  declare('client', 'generate a typed TypeScript client of a recipe', clientOf)
  declare('openapi', 'print the API document of a recipe: OpenAPI as JSON', openapiOf)
  declare('types', 'generate the TypeScript types of a recipe: schemas, events, permissions', typesOf)
}

/** Doesn't connect to the database. */
async function run(flags: Flags, generate: (ports: Readonly<Ports>) => Promise<string>): Promise<void> {
  ignoreEpipe()
  const settings = readSettings(process.env)
  const checked = await checkFile(recipeFile(flags.recipe, settings), process.env)
  const [{ inspectRecipe }, { toolLog }] = await Promise.all([import('../kernel/runtime/index.ts'), import('./log.ts')])
  const text = await inspectRecipe({ checked, settings, log: toolLog(settings.logLevel) }, generate)
  if (flags.out === undefined) printResult(text.trimEnd())
  else await write(resolve(flags.out), text, flags.check ?? false)
}

async function write(file: string, text: string, checksOnly: boolean): Promise<void> {
  const path = relative(process.cwd(), file)
  const isCurrent = (await readFile(file, 'utf8').catch(() => undefined)) === text
  if (isCurrent) return printInfo(`${path} is up to date.`)
  if (checksOnly) {
    printInfo(`${path} is out of date. To update it, run this command without --check.`)
    process.exitCode = 1
    return
  }
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  printInfo(`Wrote ${path}.`)
}

export async function clientOf(ports: Readonly<Ports>): Promise<string> {
  const { generateClient } = await import('./client/generate.ts')
  const collect = <T>(kind: string) => ports.registry.collect<readonly T[]>(kind).flatMap(({ value }) => value)
  return generateClient({
    ...access(ports),
    topics: collect<TopicSchemas>('topics'),
    helpers: collect<HelperPart>('client'),
  })
}

export async function typesOf(ports: Readonly<Ports>): Promise<string> {
  const { generateTypes } = await import('./client/generate.ts')
  const events = Object.assign({}, ...ports.registry.declared().map(({ module }) => module.events ?? {}))
  const declarations = ports.registry.collect<readonly string[]>('types').flatMap(({ value }) => value)
  return generateTypes({ ...access(ports), events, declarations })
}

const openapiOf = async ({ http }: Readonly<Ports>): Promise<string> => `${JSON.stringify(http.openapi(), null, 2)}\n`

const access = ({ http, access }: Readonly<Ports>) => ({
  nameOf: (schema: Schema) => nameOf(schema),
  document: http.openapi() as ApiDocument,
  permissions: access.permissions().map(({ key }) => key),
  roles: access.roles().map(({ key }) => key),
})

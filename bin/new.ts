import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { printResult } from './shell.ts'
import { type Base, neededModules, PLAIN, partNames, type Shape, skeleton } from './skeleton.ts'

/** Names of shipped modules and of ports that services provide, and prefixes that tables use already. */
const RESERVED_NAMES = [
  'larder',
  'kernel',
  'pg',
  'public',
  'test',
  'module',
  'billing',
  'comms',
  'content',
  'features',
  'forms',
  'identity',
  'media',
  'messaging',
  'platform',
  'sessions',
  'collections',
  'streams',
  'webhooks',
  'access',
  'bus',
  'clock',
  'database',
  'events',
  'http',
  'jobs',
  'log',
  'mailer',
  'models',
  'operator',
  'outbox',
  'people',
  'postgres',
  'process',
  'product',
  'registry',
  'secrets',
  'settings',
  'templates',
  'threads',
  'usage',
]
/** Table names start with the module's name, and PostgreSQL cuts identifiers at 63 bytes. */
const MAX_NAME_LENGTH = 32

interface Flags {
  readonly dir: string
  readonly collection?: true
  readonly bare?: true
  readonly listener?: true
  readonly job?: true
  readonly page?: true
}

export function newCommands(program: Command): void {
  program
    .command('module')
    .description('create modules')
    .command('new <name>')
    .description('create a module with a table, routes, an event and a test, or with what the options name')
    .option('-d, --dir <folder>', 'folder that contains modules/', '.')
    .addOption(new Option('--collection', 'a collection with hooks, instead of a table and routes').conflicts('bare'))
    .option('--bare', 'neither a table nor routes')
    .option('--listener', 'add a listener that sends mail after an event')
    .option('--job', 'add a job that runs once a day')
    .option('--page', 'add a page for browsers')
    .action(async (name: string, flags: Flags) => {
      const shape = shapeOf(flags)
      const folder = await writeModule(name, resolve(flags.dir), shape)
      const shown = relative(process.cwd(), folder) || '.'
      const modules = [...neededModules(shape).map(module => `${module}: {}`), `${name}: { use: ./modules/${name} }`]
      printResult(
        [
          `Created ${shown}. Next steps:`,
          `  add to the recipe:  modules: { ${modules.join(', ')} }`,
          `  run the test:       node --test ${join(shown, `${name}.test.js`)}`,
        ].join('\n'),
      )
    })
}

function shapeOf(flags: Flags): Shape {
  const base: Base = flags.collection ? 'collection' : flags.bare ? 'bare' : 'tables'
  return { base, parts: partNames.filter(part => flags[part]) }
}

/** Returns the new folder. Throws errors whose message the CLI prints as it is. */
export async function writeModule(name: string, base: string, shape: Shape = PLAIN): Promise<string> {
  const fault = moduleNameFault(name)
  if (fault) throw new Error(fault)
  const folder = join(base, 'modules', name)
  if (existsSync(folder)) throw new Error(`${folder} already exists. Choose another name or remove the folder.`)
  for (const [file, text] of await skeleton(name, shape)) {
    const path = join(folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  return folder
}

export function moduleNameFault(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    return `Invalid module name '${name}'. Use lowercase letters, digits and _, starting with a letter, for example invoices.`
  if (name.length > MAX_NAME_LENGTH) return `Module name '${name}' is longer than ${MAX_NAME_LENGTH} characters.`
  if (RESERVED_NAMES.includes(name) || name.startsWith('larder_') || name.startsWith('pg_'))
    return `Module name '${name}' is reserved. Choose another name.`
  return undefined
}

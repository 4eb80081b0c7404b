import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { printResult } from './shell.ts'
import { type SkeletonKind, skeleton } from './skeleton.ts'

/** Names of shipped modules and of ports that services provide, and prefixes that tables use already. */
const RESERVED_NAMES = [
  ...['larder', 'kernel', 'pg', 'public', 'test', 'module'],
  ...['billing', 'comms', 'content', 'features', 'forms', 'identity', 'media', 'messaging', 'platform', 'sessions'],
  ...['collections', 'streams', 'webhooks'],
  ...['access', 'bus', 'clock', 'database', 'events', 'http', 'jobs', 'log', 'mailer', 'models', 'operator', 'outbox'],
  ...['people', 'postgres', 'process', 'product', 'registry', 'secrets', 'settings', 'templates', 'threads', 'usage'],
]
/** Table names start with the module's name, and PostgreSQL cuts identifiers at 63 bytes. */
const MAX_NAME_LENGTH = 32

export function newCommands(program: Command): void {
  program
    .command('module')
    .description('create modules')
    .command('new <name>')
    .description('create a module with a table, routes, an event and a test')
    .option('-d, --dir <folder>', 'folder that contains modules/', '.')
    .option('--collection', 'create a module whose table and API come from a collection, with hooks and a test')
    .action(async (name: string, { dir, collection = false }: { dir: string; collection?: boolean }) => {
      const folder = await writeModule(name, resolve(dir), collection ? 'collection' : 'tables')
      const shown = relative(process.cwd(), folder) || '.'
      printResult(
        [
          `Created ${shown}. Next steps:`,
          `  add to the recipe:  modules: { ${collection ? 'collections: {}, ' : ''}${name}: { use: ./modules/${name} } }`,
          `  run the test:       node --test ${join(shown, `${name}.test.js`)}`,
        ].join('\n'),
      )
    })
}

/** Returns the new folder. Throws errors whose message the CLI prints as it is. */
export async function writeModule(name: string, base: string, kind: SkeletonKind = 'tables'): Promise<string> {
  const fault = moduleNameFault(name)
  if (fault) throw new Error(fault)
  const folder = join(base, 'modules', name)
  if (existsSync(folder)) throw new Error(`${folder} already exists. Choose another name or remove the folder.`)
  for (const [file, text] of await skeleton(name, kind)) {
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

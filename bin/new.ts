import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { answer } from './shell.ts'
import { skeleton } from './skeleton.ts'

/** Words that a module's ports, tables and permissions cannot begin with. */
const TAKEN = ['larder', 'kernel', 'platform', 'identity', 'comms', 'pg', 'public', 'test', 'module']
const LONGEST = 32

export function newCommands(program: Command): void {
  program
    .command('module')
    .description('modules of your own')
    .command('new <name>')
    .description('write modules/<name>: a module that boots and passes its test')
    .option('-d, --dir <folder>', 'the folder that modules/ stands in', '.')
    .action(async (name: string, { dir }: { dir: string }) => {
      const folder = await writeModule(name, resolve(dir))
      const shown = relative(process.cwd(), folder) || '.'
      answer(
        [
          `${shown} is written. Two steps are left:`,
          `  in the recipe:  modules: { ${name}: { use: ./modules/${name} } }`,
          `  its test:       node --test ${join(shown, `${name}.test.js`)}`,
        ].join('\n'),
      )
    })
}

/** Returns the new folder. Throws sentences. */
export async function writeModule(name: string, base: string): Promise<string> {
  const objection = objectionTo(name)
  if (objection) throw new Error(objection)
  const folder = join(base, 'modules', name)
  if (existsSync(folder)) throw new Error(`${folder} is there already. Choose another name, or remove it first.`)
  for (const [file, text] of await skeleton(name)) {
    const path = join(folder, file)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  return folder
}

export function objectionTo(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    return `'${name}' cannot name a module: use lower-case letters, digits and _, a letter first, e.g. invoices`
  if (name.length > LONGEST)
    return `'${name}' is longer than ${LONGEST} characters. Its tables carry its name: shorten it.`
  if (TAKEN.includes(name) || name.startsWith('larder_') || name.startsWith('pg_'))
    return `'${name}' is taken. Choose another name for the module.`
  return undefined
}

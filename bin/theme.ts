import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { printResult } from './shell.ts'

const SKELETON = fileURLToPath(new URL('./theme-skeleton/', import.meta.url))
const SUFFIX = '.txt'
const MAX_NAME_LENGTH = 32
/** Names that `theme.use` reserves for shipped themes. */
const RESERVED_NAMES = ['default', 'studio']

export function themeCommands(program: Command): void {
  program
    .command('theme')
    .description('create themes')
    .command('new <name>')
    .description('create a theme that extends the default theme')
    .option('-d, --dir <folder>', 'folder that contains themes/', '.')
    .option('-f, --force', 'overwrite the files of an existing theme')
    .action(async (name: string, { dir, force = false }: { dir: string; force?: boolean }) => {
      const folder = await writeTheme(name, resolve(dir), { force })
      const shown = relative(process.cwd(), folder) || '.'
      printResult(
        [
          `Created ${shown}. Next steps:`,
          `  add to the recipe:  theme: { use: ./themes/${name} }`,
          '  preview it:         larder dev, which reloads the browser on each change',
        ].join('\n'),
      )
    })
}

/** Returns the folder. Keeps files that are not part of the skeleton. */
export async function writeTheme(name: string, base: string, { force }: { force: boolean }): Promise<string> {
  const fault = themeNameFault(name)
  if (fault) throw new Error(fault)
  const folder = join(base, 'themes', name)
  if (existsSync(folder) && !force)
    throw new Error(`${folder} already exists. Choose another name, or overwrite its files with --force.`)
  const title = name.charAt(0).toUpperCase() + name.slice(1).replace(/[-_]+/g, ' ')
  const templates = (await readdir(SKELETON, { recursive: true })).filter(path => path.endsWith(SUFFIX))
  for (const path of templates.sort()) {
    const file = join(folder, path.slice(0, -SUFFIX.length))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, (await readFile(join(SKELETON, path), 'utf8')).replaceAll('__title__', title))
  }
  return folder
}

export function themeNameFault(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_-]*$/.test(name))
    return `Invalid theme name '${name}'. Use lowercase letters, digits, - and _, starting with a letter, for example acme.`
  if (name.length > MAX_NAME_LENGTH) return `Theme name '${name}' is longer than ${MAX_NAME_LENGTH} characters.`
  if (RESERVED_NAMES.includes(name))
    return `Theme '${name}' ships with Larder. Choose another name, or use it with theme: { use: ${name} }.`
  return undefined
}

import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { answer } from './shell.ts'

const SKELETON = fileURLToPath(new URL('./theme-skeleton/', import.meta.url))
const SUFFIX = '.txt'
const LONGEST = 32
/** What `theme.use` of a recipe means already. */
const TAKEN = ['default', 'studio']

export function themeCommands(program: Command): void {
  program
    .command('theme')
    .description('themes of your own')
    .command('new <name>')
    .description('write themes/<name>: a theme that boots, and takes from the default one what it lacks')
    .option('-d, --dir <folder>', 'the folder that themes/ stands in', '.')
    .option('-f, --force', 'write over the files of a theme that is there already')
    .action(async (name: string, { dir, force = false }: { dir: string; force?: boolean }) => {
      const folder = await writeTheme(name, resolve(dir), { force })
      const shown = relative(process.cwd(), folder) || '.'
      answer(
        [
          `${shown} is written. Two steps are left:`,
          `  in the recipe:  theme: { use: ./themes/${name} }`,
          '  to look at it:  larder dev, which shows each change in the browser at once',
        ].join('\n'),
      )
    })
}

/** Returns the folder. Throws sentences. Files that are no part of the skeleton are never touched. */
export async function writeTheme(name: string, base: string, { force }: { force: boolean }): Promise<string> {
  const objection = themeObjection(name)
  if (objection) throw new Error(objection)
  const folder = join(base, 'themes', name)
  if (existsSync(folder) && !force)
    throw new Error(`${folder} is there already. Choose another name, or write over its files with --force.`)
  const title = name.charAt(0).toUpperCase() + name.slice(1).replace(/[-_]+/g, ' ')
  const templates = (await readdir(SKELETON, { recursive: true })).filter(path => path.endsWith(SUFFIX))
  for (const path of templates.sort()) {
    const file = join(folder, path.slice(0, -SUFFIX.length))
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, (await readFile(join(SKELETON, path), 'utf8')).replaceAll('__title__', title))
  }
  return folder
}

export function themeObjection(name: string): string | undefined {
  if (!/^[a-z][a-z0-9_-]*$/.test(name))
    return `'${name}' cannot name a theme: use lower-case letters, digits, - and _, a letter first, e.g. acme`
  if (name.length > LONGEST) return `'${name}' is longer than ${LONGEST} characters. Shorten it.`
  if (TAKEN.includes(name)) return `'${name}' ships with Larder. Choose another name, or write theme: { use: ${name} }.`
  return undefined
}

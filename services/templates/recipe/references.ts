/** What a recipe points at: the theme's folder, the logo, mail templates, languages. */

import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  didYouMean,
  type LoadedModule,
  type MapTree,
  type Path,
  packageRoot,
  problemAt,
  type RecipeProblem,
  type RecipeValue,
  valuePlace,
} from 'larder/kernel'
import { mailProblems } from '../mail.ts'
import type { MailOverride } from '../mail-files.ts'
import { textProblems } from '../texts.ts'

/** What is known of a recipe when its shape was checked. */
export interface Found {
  readonly tree: MapTree
  readonly modules: readonly LoadedModule[]
  /** Some module could not be loaded: what nobody here knows may be its own. */
  readonly lost: boolean
  /** Whether nothing is wrong with the shape of the value at `path`, nor with what holds it. */
  intact(path: Path): boolean
}

export const THEMES = fileURLToPath(new URL('themes/', packageRoot))

/** Relative to the file in which it stands. */
const pathAt = (tree: MapTree, path: Path, value: string): string =>
  resolve(dirname(valuePlace(tree, path).file), value)

/** Folder of the theme, absolute; whether it exists is another question. */
export const themeFolder = ({ theme }: RecipeValue, tree: MapTree): string =>
  isPath(theme.use) ? pathAt(tree, ['theme', 'use'], theme.use) : resolve(THEMES, theme.use)

export const logoFile = ({ theme }: RecipeValue, tree: MapTree): string | undefined =>
  theme.logo === undefined ? undefined : pathAt(tree, ['theme', 'logo'], theme.logo)

/** Mail templates of the recipe, their files absolute. */
export const mailOverrides = ({ emails }: RecipeValue, tree: MapTree): MailOverride[] =>
  Object.entries(emails).map(([key, { template }]) => ({
    key,
    file: pathAt(tree, ['emails', key, 'template'], template),
  }))

const isPath = (use: string): boolean => /^(\.{1,2}\/|\.{1,2}$|\/)/.test(use)

/** What no pattern can say of an address: `http://localhost:80800`, `http://1.2.3.4.5`. */
export function addressProblems(value: RecipeValue, { tree, intact }: Pick<Found, 'tree' | 'intact'>): RecipeProblem[] {
  const path = ['product', 'publicUrl']
  // Without a product that is told already.
  const url: string | undefined = value.product?.publicUrl
  if (!intact(path) || url === undefined || URL.canParse(url)) return []
  return [problemAt(valuePlace(tree, path), path, `'${url}' is no address`, 'write it as https://acme.example')]
}

export function referenceProblems(value: RecipeValue, { tree, intact }: Found): RecipeProblem[] {
  const problems: RecipeProblem[] = []
  const say = (path: Path, message: string, hint?: string) =>
    problems.push(problemAt(valuePlace(tree, path), path, message, hint))
  if (intact(['theme', 'use'])) {
    const folder = themeFolder(value, tree)
    if (!isFolder(folder)) say(['theme', 'use'], ...noTheme(value.theme.use, folder))
  }
  const logo = intact(['theme', 'logo']) ? logoFile(value, tree) : undefined
  if (logo && !existsSync(logo)) say(['theme', 'logo'], `there is no file ${logo}`)
  for (const { key, file } of soundOverrides(value, { tree, intact }))
    if (!existsSync(file)) say(['emails', key, 'template'], `there is no file ${file}`)
  if (intact(['locales', 'default']) && intact(['locales', 'available'])) {
    const { default: standard, available } = value.locales
    if (!available.includes(standard))
      say(
        ['locales', 'default'],
        `'${standard}' is not among the languages that are available`,
        `write available: [${[standard, ...available].join(', ')}]`,
      )
  }
  return problems
}

function soundOverrides(
  { emails, ...rest }: RecipeValue,
  { tree, intact }: Pick<Found, 'tree' | 'intact'>,
): MailOverride[] {
  if (!intact(['emails'])) return []
  const sound = Object.entries(emails).filter(([key]) => intact(['emails', key, 'template']))
  return mailOverrides({ ...rest, emails: Object.fromEntries(sound) } as RecipeValue, tree)
}

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

function noTheme(use: string, folder: string): [string, string] {
  if (isPath(use))
    return [`there is no folder ${folder}`, 'a theme is a folder with theme.yaml; larder theme new NAME makes one']
  const known = existsSync(THEMES) ? readdirSync(THEMES) : []
  const hint = didYouMean(use, known) ?? `Larder brings ${known.join(', ')}; a theme of your own is a path: ./theme`
  return [`there is no theme '${use}'`, hint]
}

/** Invalid mail templates and translations of a team's modules and of the recipe. Those that ship are read at boot only. */
export function templateProblems(value: RecipeValue, found: Found): RecipeProblem[] {
  const sets = found.modules.flatMap(({ key, module, source }) =>
    module.emails && source !== 'larder' ? [{ module: key, folder: module.emails }] : [],
  )
  const overrides = soundOverrides(value, found).filter(({ file }) => existsSync(file))
  const locales = found.modules.flatMap(({ module, source }) =>
    module.locales && source !== 'larder' ? [fileURLToPath(module.locales)] : [],
  )
  return [...mailProblems(sets, overrides), ...textProblems(locales)].map(problem => ({ ...problem, path: '' }))
}

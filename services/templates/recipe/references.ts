/** Files that a recipe refers to: the theme's folder, the logo, mail templates. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { didYouMean, type RecipeView, type Static, type ValidatedRecipe } from '@larder-dev/larder/kernel'
import type { LogoFiles } from '../assemble.ts'
import type { MailOverride } from '../mail-files.ts'
import { THEMES } from '../shipped.ts'
import type { sections } from './sections.ts'

type Sections = { readonly [Name in keyof typeof sections]: Static<(typeof sections)[Name]> }
export type TemplatesRecipe = Pick<RecipeView<Sections>, 'sections' | 'resolveFile'>
export type ValidatedTemplates = ValidatedRecipe<unknown, Sections>

const DEFAULT_THEME = 'default'
const isPath = (use: string): boolean => /^(\.{1,2}\/|\.{1,2}$|\/)/.test(use)

/** Absolute path of the theme's folder, which may not exist. */
export function themeFolder({ sections, resolveFile }: TemplatesRecipe): string {
  const use = sections.theme?.use ?? DEFAULT_THEME
  return isPath(use) ? resolveFile(['theme', 'use'], use) : resolve(THEMES, use)
}

export const LOGOS = ['logo', 'darkLogo'] as const

export function logoFile(
  { sections, resolveFile }: TemplatesRecipe,
  key: (typeof LOGOS)[number] = 'logo',
): string | undefined {
  const logo = sections.theme?.[key]
  return logo === undefined ? undefined : resolveFile(['theme', key], logo)
}

export function logoFiles(recipe: TemplatesRecipe): LogoFiles | undefined {
  const light = logoFile(recipe)
  return light === undefined ? undefined : { light, dark: logoFile(recipe, 'darkLogo') }
}

/** Mail templates of the recipe with absolute paths. */
export const mailOverrides = ({ sections, resolveFile }: TemplatesRecipe): MailOverride[] =>
  Object.entries(sections.emails ?? {}).map(([key, { template }]) => ({
    key,
    file: resolveFile(['emails', key, 'template'], template),
  }))

/** The overrides whose entries match their schema. */
export const validOverrides = (recipe: ValidatedTemplates): MailOverride[] => {
  if (!recipe.isValid(['emails'])) return []
  const emails = Object.entries(recipe.sections.emails ?? {}).filter(([key]) =>
    recipe.isValid(['emails', key, 'template']),
  )
  return mailOverrides({ ...recipe, sections: { ...recipe.sections, emails: Object.fromEntries(emails) } })
}

export const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory()

/** The message and hint for a theme that doesn't exist. */
export function missingTheme(use: string, folder: string): { message: string; hint: string } {
  if (isPath(use))
    return {
      message: `Folder not found: ${folder}`,
      hint: 'a theme is a folder with a theme.yaml; larder theme new NAME creates one',
    }
  const known = existsSync(THEMES) ? readdirSync(THEMES) : []
  const hint =
    didYouMean(use, known) ?? `Larder ships with ${known.join(', ')}; refer to your own theme by its path: ./theme`
  return { message: `Unknown theme "${use}"`, hint }
}

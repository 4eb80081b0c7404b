/** Reports invalid themes, tokens, logos, mail templates and translations of a recipe. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RecipeDiagnostic } from '@larder-dev/larder/kernel'
import { layoutProblems, logoFault } from '../assemble.ts'
import { isPale } from '../brand.ts'
import { problemsOf, type TemplateProblem } from '../engine.ts'
import { mailProblems } from '../mail.ts'
import { THEMES } from '../shipped.ts'
import { loadTexts, textProblems } from '../texts.ts'
import { templatesIn, themeChain } from '../theme-file.ts'
import { readTokens, recipeTokenFaults, themeTokenProblems } from '../tokens.ts'
import { mailNameFaults } from './mail-names.ts'
import { pageTemplateFaults, toFault } from './page-templates.ts'
import {
  isFolder,
  LOGOS,
  logoFile,
  missingTheme,
  themeFolder,
  type ValidatedTemplates,
  validOverrides,
} from './references.ts'

export function validate(recipe: ValidatedTemplates): RecipeDiagnostic[] {
  const ofTheme = [...logoFaults(recipe), ...themeFaults(recipe)]
  const isSound = ofTheme.every(({ severity }) => severity === 'warning')
  return [
    ...ofTheme,
    ...mailFaults(recipe),
    ...templateFaults(recipe),
    // Compiling the theme would report its mistakes again.
    ...(isSound ? pageTemplateFaults(recipe) : []),
    ...mailNameFaults(recipe),
  ].map(fault => ({
    ...fault,
    message: capitalized(fault.message),
    ...(fault.hint && { hint: capitalized(fault.hint) }),
  }))
}

/** The same messages follow a file name elsewhere, in lowercase. */
const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function logoFaults(recipe: ValidatedTemplates): RecipeDiagnostic[] {
  const faults = LOGOS.flatMap((key): RecipeDiagnostic[] => {
    const path = ['theme', key]
    const logo = recipe.isValid(path) ? logoFile(recipe, key) : undefined
    if (logo === undefined) return []
    const message = existsSync(logo) ? logoFault(logo) : `File not found: ${logo}`
    return message === undefined ? [] : [{ path, message }]
  })
  const { logo, darkLogo } = recipe.sections.theme ?? {}
  if (darkLogo === undefined || logo !== undefined) return faults
  const message = 'a `darkLogo` needs a `logo`, which the light color scheme shows'
  return [...faults, { path: ['theme', 'darkLogo'], at: 'key', message }]
}

function themeFaults(recipe: ValidatedTemplates): RecipeDiagnostic[] {
  const path = ['theme', 'use']
  if (!recipe.isValid(path)) return []
  const folder = themeFolder(recipe)
  if (!isFolder(folder)) return [{ path, ...missingTheme(recipe.sections.theme?.use ?? '', folder) }]
  const tokens = Object.entries(recipe.isValid(['theme', 'tokens']) ? (recipe.sections.theme?.tokens ?? {}) : {})
  const own = Object.fromEntries(tokens.filter(([name]) => recipe.isValid(['theme', 'tokens', name])))
  const { themeProblems, tokenFaults, isAccentPale } = readTheme(folder, own)
  return [
    ...paleFaults(own, isAccentPale),
    ...tokenFaults.map(
      ({ name, message, hint, unknown }): RecipeDiagnostic => ({
        path: ['theme', 'tokens', name],
        at: unknown ? 'key' : 'value',
        message,
        ...(hint && { hint }),
      }),
    ),
    ...themeProblems.map(toFault),
  ]
}

const mailFaults = (recipe: ValidatedTemplates): RecipeDiagnostic[] =>
  validOverrides(recipe)
    .filter(({ file }) => !existsSync(file))
    .map(({ key, file }) => ({ path: ['emails', key, 'template'], message: `File not found: ${file}` }))

/** Mail templates and translations of custom modules and of the recipe. Shipped ones are read at boot only. */
function templateFaults(recipe: ValidatedTemplates): RecipeDiagnostic[] {
  const own = recipe.modules.filter(({ source }) => source !== 'larder')
  const sets = own.flatMap(({ key, module }) => (module.emails ? [{ module: key, folder: module.emails }] : []))
  const overrides = validOverrides(recipe).filter(({ file }) => existsSync(file))
  const locales = own.flatMap(({ module }) => (module.locales ? [fileURLToPath(module.locales)] : []))
  return [...mailProblems(sets, overrides), ...textProblems(locales)].map(toFault)
}

/** An accent is used as it is for buttons; text and the console get a shade that is legible. */
const paleFaults = (own: Readonly<Record<string, string>>, isAccentPale: boolean): RecipeDiagnostic[] =>
  own.accent === undefined || own['accent-text'] !== undefined || !isAccentPale
    ? []
    : [
        {
          severity: 'warning',
          code: 'pale_accent',
          path: ['theme', 'tokens', 'accent'],
          message: 'text in this accent lacks contrast on the page',
          hint: 'links and the console use the closest legible shade. Choose another accent, or set the token accent-text',
        },
      ]

interface ReadTheme {
  /** In files of the theme. */
  readonly themeProblems: readonly TemplateProblem[]
  /** In the recipe. */
  readonly tokenFaults: ReturnType<typeof recipeTokenFaults>
  readonly isAccentPale: boolean
}

function readTheme(folder: string, own: Readonly<Record<string, string>>): ReadTheme {
  try {
    const { folders, files } = themeChain(folder)
    // Shipped translations are valid and long.
    loadTexts(folders.filter(own => !own.startsWith(THEMES)).map(own => join(own, 'locales')))
    const themeProblems = [...themeTokenProblems(files), ...layoutProblems(files, templatesIn(folders, 'layouts'))]
    const tokenFaults = recipeTokenFaults(files, own)
    const isValid = themeProblems.length + tokenFaults.length === 0
    return { themeProblems, tokenFaults, isAccentPale: isValid && isPale(readTokens(files, own)) }
  } catch (error) {
    const themeProblems = problemsOf(error)
    if (!themeProblems) throw error
    return { themeProblems, tokenFaults: [], isAccentPale: false }
  }
}

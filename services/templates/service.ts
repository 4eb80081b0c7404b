import { type Deps, defineService } from '@larder-dev/larder/kernel'
import { createMailTemplates } from './mail.ts'
import type {} from './ports.ts'
import { declaredMailTemplates } from './recipe/mail-names.ts'
import { logoFiles, mailOverrides, type TemplatesRecipe, themeFolder } from './recipe/references.ts'
import { sections } from './recipe/sections.ts'
import { validate } from './recipe/validate.ts'
import { loadTheme, type Theme } from './theme.ts'
import { themeChain } from './theme-file.ts'

export default defineService({
  name: 'templates',
  summary: 'Themes, page templates and mail templates, in the languages of the product.',
  needs: ['product', 'registry', 'log', 'process', 'workerPool'],
  sections,
  validate,
  declaredMailTemplates,
  liveFolders: recipe => themeChain(themeFolder(recipe)).folders,
  provides: {
    theme: createTheme,
    mailTemplates: ({ theme, product, registry, workerPool }, _options, recipe) => {
      const sets = registry.collect<URL>('emails').map(({ key, value }) => ({ module: key, folder: value }))
      return createMailTemplates({ sets, overrides: mailOverrides(recipe), theme, product, workerPool })
    },
  },
})

type ThemeDeps = Deps<'product' | 'registry' | 'log' | 'process'>

function createTheme(
  { product, registry, log, process }: ThemeDeps,
  _options: unknown,
  recipe: TemplatesRecipe,
): Theme {
  return loadTheme({
    folder: themeFolder(recipe),
    logo: logoFiles(recipe),
    tokens: recipe.sections.theme?.tokens ?? {},
    texts: registry.declared().flatMap(({ module }) => module.locales ?? []),
    product,
    log,
    reload: process.reload,
  })
}
